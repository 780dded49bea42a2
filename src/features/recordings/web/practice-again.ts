/**
 * Where the same melody is sung again, with in mind what was answered to a recording or, while that one waits, to the
 * newest attempt that has an answer.
 */
export function practiceAgain(melodyId: number | null, afterRecording?: number) {
  const search = new URLSearchParams();
  if (melodyId !== null) search.set('melody', String(melodyId));
  if (afterRecording !== undefined) search.set('after-recording', String(afterRecording));
  return search.size === 0 ? '/submit' : `/submit?${search.toString()}`;
}

/** Where the melody in the player is sung; the page there leads back into the player. */
export const practiseFromPlayer = (melodyId: number) => `${practiceAgain(melodyId)}&player=${melodyId}`;

/** An id as an address has it; null for anything else. */
export const idIn = (text: string | null) =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
