import { isTibetan } from '../sung-text/script.ts';

/** `{ lang: 'bo' }` for words in Tibetan script, which have a face, a height and breaks of their own. */
export const langOf = (text: string) => (isTibetan(text) ? { lang: 'bo' } : {});
