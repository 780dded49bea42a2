const TIBETAN = /[\u0f00-\u0fff]/;
const LATIN = /[a-z]/i;

export const hasTibetan = (text: string) => TIBETAN.test(text);

/** Whether words are written in Tibetan script; a title that mixes it with Latin letters is not. */
export const isTibetan = (text: string) => hasTibetan(text) && !LATIN.test(text);
