import type { OptionsArgument } from '#web/api/call.ts';

export const OTHER_SIGN_IN_METHODS_LABEL = 'Other ways to sign in';

/** Labels of the sign-in methods that need no password, in display order. */
export const ALTERNATIVE_SIGN_IN_METHOD_LABELS = {
  link: 'Email me a link',
  code: 'Enter a sign-in code',
  passkey: 'Use a passkey',
};

export type AlternativeSignInMethod = keyof typeof ALTERNATIVE_SIGN_IN_METHOD_LABELS;

/** Token of an emailed link, or a code. */
export type OneTimeToken = { kind: 'link' | 'code'; token: string };

/** Name and password to sign in with, and a passkey if the account requires it. */
export type SignInCredentials = NonNullable<OptionsArgument<'POST /api/login'>[0]>['body'];

/** Content that replaces the sign-in form. */
export type AlternativeSignInView = {
  method?: AlternativeSignInMethod;
  /** Fragment of the URL, `link=…` or `code=…`. */
  fragment?: string;
  /** Name and password that were sent, if the account also requires a passkey. */
  credentials?: SignInCredentials;
  /** Username that the user has already typed. */
  name?: string | undefined;
};
