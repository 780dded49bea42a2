/** Characters that fit on two lines of a card. */
export const EXCERPT_MAX = 120;

/**
 * Returns the beginning of a description, cut between two words or Tibetan syllables.
 * @param description may itself be cut, after more than {@link EXCERPT_MAX} characters
 */
export function excerptOf(description: string | null): string | null {
  const characters = [...(description ?? '')];
  if (characters.length <= EXCERPT_MAX) return description;
  const beginning = characters.slice(0, EXCERPT_MAX).join('');
  return `${beginning.replace(/(?<=[\s\u0f0b])[^\s\u0f0b]*$/u, '').trimEnd()}…`;
}

type Texts = { description: string | null; melodyText: string | null };

/** Converts a melody to the form shown on its card. */
export const listedMelodyOf = <M extends Texts>({ description, melodyText, ...summary }: M) => ({
  ...summary,
  excerpt: excerptOf(description),
  textBytes: new TextEncoder().encode(melodyText ?? '').length,
});
