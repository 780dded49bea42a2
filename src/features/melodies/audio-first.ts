/** Sorts melodies without audio last, because a list that begins with them looks broken. */
export const sortAudioFirst = <Melody extends { readonly audioUrl: string | null }>(
  melodies: readonly Melody[],
) => [
  ...melodies.filter(({ audioUrl }) => audioUrl !== null),
  ...melodies.filter(({ audioUrl }) => audioUrl === null),
];
