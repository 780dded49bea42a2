/** Where the same melody is sung again. */
export const practiceAgain = (melodyId: number | null) =>
  melodyId === null ? '/submit' : `/submit?melody=${melodyId}`;
