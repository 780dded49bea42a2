import { hasTibetan, isTibetan } from '../sung-text/script.ts';

/**
 * `{ lang: 'bo' }` for words in Tibetan script, which have their own font, line height and line breaks; text that mixes
 * Tibetan with other scripts gets only the line height.
 */
export function langOf(text: string): { lang?: 'bo'; 'data-stacks'?: '' } {
  if (isTibetan(text)) return { lang: 'bo' };
  return hasTibetan(text) ? { 'data-stacks': '' } : {};
}
