/**
 * Returns the address for recording the same melody again. The page there shows the reply to `afterRecording` or,
 * while that is pending, to the latest attempt that has one.
 */
export function getPracticeAgainPath(melodyId: number | null, afterRecording?: number) {
  const search = new URLSearchParams();
  if (melodyId !== null) search.set('melody', String(melodyId));
  if (afterRecording !== undefined) search.set('after-recording', String(afterRecording));
  const query = search.toString();
  return query === '' ? '/submit' : `/submit?${query}`;
}

/** Returns the address for recording the melody in the player; the page there links back to the player. */
export const getPractisePath = (melodyId: number) => `${getPracticeAgainPath(melodyId)}&player=${melodyId}`;

/** Returns the address for submitting a take that was sung in the player and is stored on this device. */
export const getSubmitTakePath = (melodyId: number, takeId: string) =>
  `${getPractisePath(melodyId)}&take=${takeId}`;

/** Parses an id from an address; null for anything else. */
export const parseId = (text: string | null) =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
