import { MAX_CHARACTERS_SEARCHED, MAX_SUGGESTED_PHRASES, MAX_PHRASE_TEXT_LENGTH } from '../limits.ts';
import { type StudentNameFields, createNameReplacer } from '../placeholder.ts';

/** The texts written to one student. */
export type TextsToStudent = {
  student: StudentNameFields;
  texts: readonly string[];
};

/**
 * Returns at most MAX_SUGGESTED_PHRASES sentences from earlier replies, with the placeholder in place of the
 * student's name. The most frequent come first, and equally frequent sentences are sorted newest first.
 * @param answers newest first
 */
export function suggestSentences(answers: readonly TextsToStudent[]): { text: string }[] {
  const found = new Map<string, { text: string; times: number }>();
  let remaining = MAX_CHARACTERS_SEARCHED;
  for (const { student, texts } of answers) {
    remaining -= texts.join('').length;
    if (remaining < 0) break;
    for (const text of texts.flatMap(splitSentences).map(createNameReplacer(student))) {
      const key = text.toLowerCase();
      const known = found.get(key);
      if (known) known.times += 1;
      else found.set(key, { text, times: 1 });
    }
  }
  return [...found.values()]
    .sort((a, b) => b.times - a.times)
    .slice(0, MAX_SUGGESTED_PHRASES)
    .map(({ text }) => ({ text }));
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

const splitSentences = (text: string) =>
  [...sentences.segment(text)]
    .map(({ segment }) => segment.trim().replaceAll(/\s+/g, ' '))
    // Omits single words, because typing a word is faster than choosing it from a list.
    .filter((each) => each.includes(' ') && each.length <= MAX_PHRASE_TEXT_LENGTH);
