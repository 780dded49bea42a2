import { CHARACTERS_SEARCHED, OFFERED_MAX, PHRASE_TEXT_MAX } from '../limits.ts';
import { type Named, withPlaceholder } from '../placeholder.ts';

/** The texts written to one student. */
export type Written = {
  student: Named;
  texts: readonly string[];
};

/**
 * Returns the sentences of earlier replies, the most frequent first, and the newest first among equals.
 * @param answers newest first
 */
export function offeredFrom(answers: readonly Written[]): { text: string }[] {
  const found = new Map<string, { text: string; times: number }>();
  let left = CHARACTERS_SEARCHED;
  for (const { student, texts } of answers) {
    left -= texts.join('').length;
    if (left < 0) break;
    for (const text of texts.flatMap(sentencesOf).map(withPlaceholder(student))) {
      const key = text.toLowerCase();
      const known = found.get(key);
      if (known) known.times += 1;
      else found.set(key, { text, times: 1 });
    }
  }
  return [...found.values()]
    .sort((a, b) => b.times - a.times)
    .slice(0, OFFERED_MAX)
    .map(({ text }) => ({ text }));
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

const sentencesOf = (text: string) =>
  [...sentences.segment(text)]
    .map(({ segment }) => segment.trim().replaceAll(/\s+/g, ' '))
    // A single word is typed faster than it is chosen.
    .filter((each) => each.includes(' ') && each.length <= PHRASE_TEXT_MAX);
