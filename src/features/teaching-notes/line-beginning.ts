import { MAX_LINE_BEGINNING_LENGTH } from './limits.ts';

/**
 * Returns the beginning of a line's words, by which the page and the server identify the line. The rest is
 * cut off, because a text may be a single long line.
 */
export const getLineBeginning = (words: string) => words.slice(0, MAX_LINE_BEGINNING_LENGTH);
