import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { numericId, messageBody, createRequiredSingleLineTextSchema, timestamp } from '#shared/schemas.ts';
import { passkeyAssertion } from '../passkeys/contract.ts';
import { me, personName, user } from '../contract.ts';
import {
  MAX_LISTED_CODE_SIGN_INS,
  SIGN_IN_CODE_INVALID_MESSAGE,
  PASSWORD_REQUIRED_MESSAGE,
  USERNAME_REQUIRED_MESSAGE,
} from './limits.ts';

/** Token of an emailed link, or a code as typed by the user. */
const oneTimeToken = z.object({
  kind: z.enum(['link', 'code']),
  token: z
    .string(SIGN_IN_CODE_INVALID_MESSAGE)
    .trim()
    .min(1, SIGN_IN_CODE_INVALID_MESSAGE)
    .max(200, SIGN_IN_CODE_INVALID_MESSAGE),
});
const passkey = passkeyAssertion
  .optional()
  .describe(
    'For a user who must use a passkey: the answer to a challenge of `POST /api/passkeys/challenge`.',
  );
const needsPasskey = 'a passkey is also required, reported as an issue with the path `passkey`';
const invalidToken = 'The link or code is unknown, used, void, or older than 10 minutes';

const signInCode = z
  .object({
    id: z.int(),
    code: z.string().describe('Signs its user in once.'),
    validSeconds: z.int(),
  })
  .meta({ id: 'SignInCode' });

const codeId = z.object({ id: numericId });

export const signInApi = {
  signIn: defineEndpoint({
    method: 'POST',
    path: '/api/login',
    access: 'public',
    summary: 'Signs in with a username or an email, ignoring case, and sets the session cookie.',
    body: z
      .object({
        username: createRequiredSingleLineTextSchema(254, USERNAME_REQUIRED_MESSAGE),
        // The maximum is above the length of any valid password, and low enough to keep hashing cheap.
        password: z.string().min(1, PASSWORD_REQUIRED_MESSAGE).max(1024),
        passkey,
      })
      .meta({ examples: [{ username: 'tashi', password: 'a-lotus-in-the-lake' }] }),
    answers: { 200: user },
    refusals: {
      401: 'Wrong name or password',
      403: `The account is disabled, the password has expired unused, or ${needsPasskey}`,
      429: 'Too many attempts',
    },
  }),
  requestLink: defineEndpoint({
    method: 'POST',
    path: '/api/sign-in/link',
    access: 'public',
    summary:
      'Emails a link that signs in once. The response is the same whether or not the username or email has an account.',
    body: z.object({ name: createRequiredSingleLineTextSchema(254, 'Please enter your username or email.') }),
    answers: { 200: messageBody },
    refusals: {
      409: 'There is no mail server',
      429: 'Too many requests from one address, or from one address for one name',
    },
  }),
  ownerOfToken: defineEndpoint({
    method: 'POST',
    path: '/api/sign-in/one-time/owner',
    access: 'public',
    summary: 'The user whom an emailed link or a code would sign in. It stays unused.',
    body: oneTimeToken,
    answers: { 200: personName },
    refusals: { 400: invalidToken, 429: 'Too many wrong codes' },
  }),
  redeemToken: defineEndpoint({
    method: 'POST',
    path: '/api/sign-in/one-time',
    access: 'public',
    summary: 'Signs in with an emailed link or a code, which is used up, and sets the session cookie.',
    body: oneTimeToken.extend({ passkey }),
    answers: { 200: user },
    refusals: {
      400: invalidToken,
      403: `The link or code is valid, but ${needsPasskey}`,
      429: 'Too many wrong codes',
    },
  }),
  signInByPasskey: defineEndpoint({
    method: 'POST',
    path: '/api/sign-in/passkey',
    access: 'public',
    summary: 'Signs in with a passkey alone, and sets the session cookie.',
    body: z.object({ passkey: passkeyAssertion }),
    answers: { 200: user },
    refusals: { 400: 'The passkey is invalid', 403: 'The account is disabled' },
  }),
  makeOwnCode: defineEndpoint({
    method: 'POST',
    path: '/api/user/sign-in-codes',
    access: 'signed-in',
    // A user's own code starts a session without restrictions, so a restricted session must not create one.
    isForOwnerOnly: true,
    needsFreshProof: 'admin',
    summary: 'Creates a code to sign the caller in on another device; invalidates the previous one.',
    answers: { 201: signInCode },
    refusals: { 429: 'Too many codes' },
  }),
  makeCodeFor: defineEndpoint({
    method: 'POST',
    path: '/api/admin/users/{id}/sign-in-codes',
    access: 'admin',
    needsFreshProof: 'admin',
    summary: 'Creates a code to sign a student in; invalidates the previous one.',
    params: z.object({ id: z.uuid() }),
    answers: { 201: signInCode },
    refusals: { 403: 'The user is an admin', 404: 'Unknown or disabled user', 429: 'Too many codes' },
  }),
  codeState: defineEndpoint({
    method: 'GET',
    path: '/api/user/sign-in-codes/{id}',
    access: 'signed-in',
    summary: 'The status of a code that the caller created.',
    params: codeId,
    answers: { 200: z.object({ state: z.enum(['open', 'used', 'ended']) }) },
    refusals: { 404: 'Unknown code' },
  }),
  voidCode: defineEndpoint({
    method: 'DELETE',
    path: '/api/user/sign-in-codes/{id}',
    access: 'signed-in',
    summary: 'Revokes a code that the caller created.',
    params: codeId,
    answers: { 200: messageBody },
    refusals: { 404: 'Unknown code' },
  }),
  codeSignIns: defineEndpoint({
    method: 'GET',
    path: '/api/user/code-sign-ins',
    access: 'student',
    summary:
      "Sign-ins to the caller's account during the last year with a code from a teacher, newest first.",
    answers: {
      200: z
        .array(
          z
            .object({
              shownBy: z.string().describe("The teacher's name at the time."),
              device: z.string().describe('Description of the browser.'),
              at: timestamp,
            })
            .meta({ id: 'CodeSignIn' }),
        )
        .max(MAX_LISTED_CODE_SIGN_INS),
    },
  }),
  signOut: defineEndpoint({
    method: 'POST',
    path: '/api/logout',
    access: 'public',
    summary: 'Ends the session; a no-op if there is none.',
    answers: { 200: messageBody },
  }),
  whoAmI: defineEndpoint({
    method: 'GET',
    path: '/api/user',
    access: 'signed-in',
    summary: 'The signed-in user.',
    answers: { 200: me },
  }),
  goToSignIn: defineEndpoint({
    method: 'GET',
    path: '/api/login',
    access: 'public',
    summary: 'Redirects a browser to the sign-in page.',
    answers: {},
    raw: { 302: { description: 'A redirect to /auth' } },
  }),
  signOutByLink: defineEndpoint({
    method: 'GET',
    path: '/api/logout',
    access: 'public',
    summary:
      'Ends the session and redirects to the sign-in page; a request from a foreign site only redirects.',
    answers: {},
    raw: { 302: { description: 'A redirect to /auth' } },
  }),
};
