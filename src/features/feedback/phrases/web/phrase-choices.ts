import type { OfferedPhrase, Phrase } from '../contract.ts';
import { PHRASE_NAME_MAX } from '../limits.ts';

/** The position of a slash and the letters typed after it. */
export type Typed = { start: number; query: string };

/** Returns the slash that begins the word before the caret; null for the slash in '1/2', 'and/or' or a path. */
export function typedAt(text: string, caret: number): Typed | null {
  const word = /(?:^|\s)\/([^\s/]*)$/.exec(text.slice(0, caret))?.[1];
  if (word === undefined || word.length > PHRASE_NAME_MAX || /^[^\s]/.test(text.slice(caret))) return null;
  return { start: caret - word.length - 1, query: word };
}

/** An option of the list: a named phrase, or a sentence of an earlier reply. */
export type Choice = { key: string; name: string | null; text: string };

/** Maximum number of earlier sentences shown below the phrases. */
const OFFERED_SHOWN = 4;

/** Returns the options for a query; names that begin with it come first. */
export function choicesFor(
  query: string,
  phrases: readonly Phrase[],
  offered: readonly OfferedPhrase[],
): Choice[] {
  const wanted = query.toLowerCase();
  const begins = phrases.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const has = phrases.filter((phrase) => !begins.includes(phrase) && hasWord(phrase.text, wanted));
  const known = new Set(phrases.map(({ text }) => text));
  return [
    ...[...begins, ...has].map(({ id, name, text }) => ({ key: `phrase-${id}`, name, text })),
    ...offered
      .filter(({ text }) => !known.has(text) && hasWord(text, wanted))
      .slice(0, OFFERED_SHOWN)
      .map(({ text }, index) => ({ key: `offered-${index}`, name: null, text })),
  ];
}

/** Whether the text has a word that begins with these letters. */
const hasWord = (text: string, letters: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .some((word) => word.startsWith(letters));
