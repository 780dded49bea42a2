/** The ways to sign in that need no typing of a password, in their order. */
export const WAYS = { link: 'Mail me a link', code: 'Use a code' };

export type Way = keyof typeof WAYS;

/** A mailed link's token, or a code. */
export type OneTime = { kind: 'link' | 'code'; token: string };
