import { MAX_LINE_BEGINNING_LENGTH } from './limits.ts';

/**
 * Returns the beginning of a line's words, which identifies the line in requests to the server. The rest is
 * cut off, because a text may be a single long line.
 */
export const getLineBeginning = (words: string) => words.slice(0, MAX_LINE_BEGINNING_LENGTH);
