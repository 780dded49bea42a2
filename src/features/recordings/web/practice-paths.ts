/**
 * Returns the URL for recording the same melody again. That page shows the feedback on `afterRecording` or,
 * while that recording is pending, on the latest attempt that has feedback.
 */
export function getPracticeAgainPath(melodyId: number | null, afterRecording?: number) {
  const search = new URLSearchParams();
  if (melodyId !== null) search.set('melody', String(melodyId));
  if (afterRecording !== undefined) search.set('after-recording', String(afterRecording));
  const query = search.toString();
  return query === '' ? '/submit' : `/submit?${query}`;
}

/**
 * Returns the URL for recording the melody that is open in the player. That page links back to the player.
 */
export const getRecordingPathFromPlayer = (melodyId: number) =>
  `${getPracticeAgainPath(melodyId)}&player=${melodyId}`;

/** Returns the URL for submitting a take that was recorded in the player and is stored on this device. */
export const getSubmitTakePath = (melodyId: number, takeId: string) =>
  `${getRecordingPathFromPlayer(melodyId)}&take=${takeId}`;

/** Parses an id from a URL. Returns null for anything else. */
export const parseIdParameter = (text: string | null) =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
