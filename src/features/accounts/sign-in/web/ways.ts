import type { OptionsArgument } from '#web/api/call.ts';

/** The ways to sign in that need no typing of a password, in their order. */
export const WAYS = { link: 'Mail me a link', code: 'Use a code', passkey: 'Use a passkey' };

export type Way = keyof typeof WAYS;

/** A mailed link's token, or a code. */
export type OneTime = { kind: 'link' | 'code'; token: string };

/** Name and password, which are right, but need a passkey beside them. */
export type Credentials = NonNullable<OptionsArgument<'POST /api/login'>[0]>['body'];

/** What stands in place of the form. */
export type Shown = {
  way?: Way;
  /** What the address brought along, as `link=…` or `code=…`. */
  fragment?: string;
  /** What the form was sent with, if a passkey is asked for beside it. */
  credentials?: Credentials;
  /** What had been typed for a name already. */
  name?: string | undefined;
};
