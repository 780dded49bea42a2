import type { SuggestedPhrase, Phrase } from '../contract.ts';
import { MAX_PHRASE_NAME_LENGTH } from '../limits.ts';

/** The position of a slash and the letters typed after it. */
export type TypedSlash = { start: number; query: string };

/**
 * Returns the slash that begins the word before the caret. Null if there is none, if the word goes on after
 * the caret, or if the word is longer than a phrase name can be. Ignores slashes within words and paths, as
 * in '1/2' or 'and/or'.
 */
export function findTypedSlash(text: string, caret: number): TypedSlash | null {
  const word = /(?:^|\s)\/([^\s/]*)$/.exec(text.slice(0, caret))?.[1];
  if (word === undefined || word.length > MAX_PHRASE_NAME_LENGTH || /^[^\s]/.test(text.slice(caret)))
    return null;
  return { start: caret - word.length - 1, query: word };
}

/** An option in the list: a named phrase, or a sentence from an earlier reply. */
export type PhraseChoice = { key: string; name: string | null; text: string };

/** Maximum number of sentences from earlier replies that are shown below the phrases. */
const MAX_SUGGESTIONS_SHOWN = 4;

/**
 * Returns the options for a query: first the phrases whose names begin with it, then the phrases and
 * sentences that have a word beginning with it.
 */
export function getPhraseChoices(
  query: string,
  phrases: readonly Phrase[],
  offered: readonly SuggestedPhrase[],
): PhraseChoice[] {
  const wanted = query.toLowerCase();
  const byName = phrases.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const byText = phrases.filter((phrase) => !byName.includes(phrase) && hasWord(phrase.text, wanted));
  const known = new Set(phrases.map(({ text }) => text));
  return [
    ...[...byName, ...byText].map(({ id, name, text }) => ({ key: `phrase-${id}`, name, text })),
    ...offered
      .filter(({ text }) => !known.has(text) && hasWord(text, wanted))
      .slice(0, MAX_SUGGESTIONS_SHOWN)
      .map(({ text }, index) => ({ key: `offered-${index}`, name: null, text })),
  ];
}

/** Returns whether the text has a word that begins with these letters. */
const hasWord = (text: string, letters: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .some((word) => word.startsWith(letters));
