import { sentenceOf } from '../api/call.ts';

/** Somebody's sentence before one of ours: with its full stop, which not every server's answer has. */
export const before = (sentence: string, rest: string) =>
  `${/[.!?…。།]["”’)]?$/.test(sentence) ? sentence : `${sentence}.`} ${rest}`;

/** Why a call failed, and then what it means here. */
export const whyAnd = (error: unknown, otherwise: string, rest: string) =>
  before(sentenceOf(error, otherwise), rest);
