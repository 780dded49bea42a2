/** Maximum length of an excerpt, in characters. This fits on two lines of a card. */
export const MAX_EXCERPT_LENGTH = 120;

/**
 * Returns a description. If it is too long, cuts it between two words or Tibetan syllables.
 * @param description complete, or already cut after more than {@link MAX_EXCERPT_LENGTH} characters
 */
export function createExcerpt(description: string | null): string | null {
  const characters = [...(description ?? '')];
  if (characters.length <= MAX_EXCERPT_LENGTH) return description;
  const beginning = characters.slice(0, MAX_EXCERPT_LENGTH).join('');
  return `${beginning.replace(/(?<=[\s\u0f0b])[^\s\u0f0b]*$/u, '').trimEnd()}…`;
}

type Texts = { description: string | null; melodyText: string | null };

/** Converts a melody to the form shown on its card. */
export const toListedMelody = <M extends Texts>({ description, melodyText, ...summary }: M) => ({
  ...summary,
  excerpt: createExcerpt(description),
  textBytes: new TextEncoder().encode(melodyText ?? '').length,
});
