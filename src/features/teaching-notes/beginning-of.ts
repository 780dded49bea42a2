import { LINE_WORDS_MAX } from './limits.ts';

/**
 * Returns the words that identify a line to the page and the server; shortened, because a text may be one long line.
 */
export const beginningOf = (words: string) => words.slice(0, LINE_WORDS_MAX);
