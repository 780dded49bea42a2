import { MAX_LINE_WORDS_LENGTH } from './limits.ts';

/**
 * Returns the words that identify a line to the page and the server; shortened, because a text may be one long line.
 */
export const getLineBeginning = (words: string) => words.slice(0, MAX_LINE_WORDS_LENGTH);
