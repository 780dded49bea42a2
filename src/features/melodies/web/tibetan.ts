import { hasTibetan, isTibetan } from '../sung-text/script.ts';

/**
 * `{ lang: 'bo' }` for words in Tibetan script, which have a face, a height and breaks of their own; where they stand
 * among others, they have the height.
 */
export function langOf(text: string): { lang?: 'bo'; 'data-stacks'?: '' } {
  if (isTibetan(text)) return { lang: 'bo' };
  return hasTibetan(text) ? { 'data-stacks': '' } : {};
}
