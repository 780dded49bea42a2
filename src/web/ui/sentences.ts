import { getErrorMessage } from '../api/call.ts';

/** Joins two sentences. Adds the full stop that some of the server's messages lack. */
export const joinSentences = (sentence: string, rest: string) =>
  `${/[.!?…。།]["”’)]?$/.test(sentence) ? sentence : `${sentence}.`} ${rest}`;

/** Returns the reason a call failed, followed by `rest`, a sentence about the consequences. */
export const explainError = (error: unknown, otherwise: string, rest: string) =>
  joinSentences(getErrorMessage(error, otherwise), rest);
