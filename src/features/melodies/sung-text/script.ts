const TIBETAN = /[\u0f00-\u0fff]/;
const LATIN = /[a-z]/i;

/** Whether words are written in Tibetan script; a title that mixes it with Latin letters is not. */
export const isTibetan = (text: string) => TIBETAN.test(text) && !LATIN.test(text);
