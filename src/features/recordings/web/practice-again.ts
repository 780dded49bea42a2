/**
 * Where the same melody is sung again, with in mind what was answered: by the feedback, or to a recording or, while
 * that one waits, to the last attempt before it.
 */
export function practiceAgain(
  melodyId: number | null,
  after: { feedback?: number; recording?: number } = {},
) {
  const search = new URLSearchParams();
  if (melodyId !== null) search.set('melody', String(melodyId));
  if (after.feedback !== undefined) search.set('after', String(after.feedback));
  if (after.recording !== undefined) search.set('after-recording', String(after.recording));
  return search.size === 0 ? '/submit' : `/submit?${search.toString()}`;
}

/** Where the melody in the player is sung; the page there leads back into the player. */
export const practiseFromPlayer = (melodyId: number) => `${practiceAgain(melodyId)}&player=${melodyId}`;

/** An id as an address has it; null for anything else. */
export const idIn = (text: string | null) =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
