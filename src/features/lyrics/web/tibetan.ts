import { hasTibetan, isTibetan } from '../script.ts';

/**
 * For an element that holds words which somebody typed: they run in the direction of their script. `lang: 'bo'` is for
 * words in Tibetan script, which have their own font, line height and line breaks; text that mixes Tibetan with other
 * scripts gets only the line height.
 */
export function langOf(text: string): { dir: 'auto'; lang?: 'bo'; 'data-stacks'?: '' } {
  if (isTibetan(text)) return { dir: 'auto', lang: 'bo' };
  return hasTibetan(text) ? { dir: 'auto', 'data-stacks': '' } : { dir: 'auto' };
}
