const TIBETAN = /[\u0f00-\u0fff]/;
const LATIN = /[a-z]/i;

/** `{ lang: 'bo' }` for words in Tibetan script, which have a face, a height and breaks of their own. */
export const langOf = (text: string) => (TIBETAN.test(text) && !LATIN.test(text) ? { lang: 'bo' } : {});
