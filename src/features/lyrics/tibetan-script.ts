const TIBETAN = /[\u0f00-\u0fff]/;
const LATIN = /[a-z]/i;

export const hasTibetan = (text: string) => TIBETAN.test(text);

/** Returns whether words are written in Tibetan script. False for words that mix it with Latin letters. */
export const isTibetan = (text: string) => hasTibetan(text) && !LATIN.test(text);
