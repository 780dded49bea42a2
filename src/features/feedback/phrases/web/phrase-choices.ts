import type { OfferedPhrase, Phrase } from '../contract.ts';
import { PHRASE_NAME_MAX } from '../limits.ts';

/** What is typed after a slash: where the slash is, and the letters behind it. */
export type Typed = { start: number; query: string };

/** A slash that begins a word, before the caret; not that of '1/2', of 'and/or' or of a path. */
export function typedAt(text: string, caret: number): Typed | null {
  const word = /(?:^|\s)\/([^\s/]*)$/.exec(text.slice(0, caret))?.[1];
  if (word === undefined || word.length > PHRASE_NAME_MAX || /^[^\s]/.test(text.slice(caret))) return null;
  return { start: caret - word.length - 1, query: word };
}

/** One of the list: a phrase by its name, or a sentence of an earlier answer. */
export type Choice = { key: string; name: string | null; text: string };

/** How many sentences of earlier answers are shown beneath the phrases. */
const OFFERED_SHOWN = 4;

/** What begins with the query comes first. */
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

/** One that begins with these letters. */
const hasWord = (text: string, letters: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .some((word) => word.startsWith(letters));
