/**
 * Where the same melody is sung again.
 * @param after the feedback that is to be in mind while singing
 */
export function practiceAgain(melodyId: number | null, after?: number) {
  const search = new URLSearchParams();
  if (melodyId !== null) search.set('melody', String(melodyId));
  if (after !== undefined) search.set('after', String(after));
  return search.size === 0 ? '/submit' : `/submit?${search.toString()}`;
}

/** Where the melody in the player is sung; the page there leads back into the player. */
export const practiseFromPlayer = (melodyId: number) => `${practiceAgain(melodyId)}&player=${melodyId}`;
