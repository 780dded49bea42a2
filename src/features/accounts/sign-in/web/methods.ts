import type { OptionsArgument } from '#web/api/call.ts';

export const OTHER_METHODS_LABEL = 'Other ways to sign in';

/** Ways to sign in without typing a password, in display order. */
export const METHOD_LABELS = {
  link: 'Email me a link',
  code: 'Enter a sign-in code',
  passkey: 'Use a passkey',
};

export type SignInMethod = keyof typeof METHOD_LABELS;

/** A mailed link's token, or a code. */
export type OneTimeToken = { kind: 'link' | 'code'; token: string };

/** A correct name and password that need a passkey as well. */
export type Credentials = NonNullable<OptionsArgument<'POST /api/login'>[0]>['body'];

/** Content that replaces the sign-in form. */
export type AlternativeView = {
  method?: SignInMethod;
  /** Fragment of the address, `link=…` or `code=…`. */
  fragment?: string;
  /** Name and password that were sent, if a passkey is required as well. */
  credentials?: Credentials;
  /** Username that was already typed. */
  name?: string | undefined;
};
