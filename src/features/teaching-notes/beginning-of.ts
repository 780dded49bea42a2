import { LINE_WORDS_MAX } from './limits.ts';

/** The words by which a page and the server know a line: a text may be one long line. */
export const beginningOf = (words: string) => words.slice(0, LINE_WORDS_MAX);
