import { hasTibetan, isTibetan } from '../tibetan-script.ts';

/**
 * Returns attributes for an element with words that a user typed, so that they run in the direction of their
 * script. Words in Tibetan script get `lang: 'bo'`, which gives them their own font, line height and line
 * breaks. Text that mixes Tibetan with Latin letters gets only the line height.
 */
export function getLangProps(text: string): { dir: 'auto'; lang?: 'bo'; 'data-stacks'?: '' } {
  if (isTibetan(text)) return { dir: 'auto', lang: 'bo' };
  return hasTibetan(text) ? { dir: 'auto', 'data-stacks': '' } : { dir: 'auto' };
}
