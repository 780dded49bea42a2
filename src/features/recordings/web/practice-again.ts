/** Where the same melody is sung again. */
export const practiceAgain = (melodyId: number | null) =>
  melodyId === null ? '/submit' : `/submit?melody=${melodyId}`;

/** Where the melody in the player is sung; the page there leads back into the player. */
export const practiseFromPlayer = (melodyId: number) => `${practiceAgain(melodyId)}&player=${melodyId}`;
