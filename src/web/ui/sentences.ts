import { getErrorMessage } from '../api/call.ts';

/** Joins a sentence to one of ours. Adds the full stop that some servers' messages lack. */
export const joinSentences = (sentence: string, rest: string) =>
  `${/[.!?…。།]["”’)]?$/.test(sentence) ? sentence : `${sentence}.`} ${rest}`;

/** Says why a call failed, and then what that means here. */
export const explainError = (error: unknown, otherwise: string, rest: string) =>
  joinSentences(getErrorMessage(error, otherwise), rest);
