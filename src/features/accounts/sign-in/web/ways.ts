import type { OptionsArgument } from '#web/api/call.ts';

export const OTHER_WAYS = 'Other ways to sign in';

/** Ways to sign in without typing a password, in display order. */
export const WAYS = { link: 'Email me a link', code: 'Enter a sign-in code', passkey: 'Use a passkey' };

export type Way = keyof typeof WAYS;

/** A mailed link's token, or a code. */
export type OneTime = { kind: 'link' | 'code'; token: string };

/** A correct name and password that need a passkey as well. */
export type Credentials = NonNullable<OptionsArgument<'POST /api/login'>[0]>['body'];

/** Content that replaces the sign-in form. */
export type Shown = {
  way?: Way;
  /** Fragment of the address, `link=…` or `code=…`. */
  fragment?: string;
  /** Name and password that were sent, if a passkey is required as well. */
  credentials?: Credentials;
  /** Username that was already typed. */
  name?: string | undefined;
};
