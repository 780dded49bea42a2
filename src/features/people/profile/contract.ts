import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { createPersonNameSchema } from '#shared/person-name.ts';
import { createRequiredEmailSchema, messageBody } from '#shared/schemas.ts';
import { passkeyAssertion } from '#features/accounts/passkeys/contract.ts';
import { CURRENT_PASSWORD_REQUIRED_MESSAGE } from '#features/accounts/passwords/limits.ts';
import { user } from '#features/accounts/contract.ts';
import { MAX_NAME_LENGTH } from '#features/accounts/limits.ts';
import { MISSING_USER_FIELD_MESSAGES } from '../users/limits.ts';
import { FIRST_NAME_REQUIRED_MESSAGE, INVALID_USERNAME_MESSAGE, MAX_USERNAME_LENGTH } from './limits.ts';

const names = {
  firstName: createPersonNameSchema(MAX_NAME_LENGTH, FIRST_NAME_REQUIRED_MESSAGE),
  lastName: createPersonNameSchema(MAX_NAME_LENGTH, 'Please enter a last name, or leave it empty.')
    .nullable()
    .describe('Null for somebody with a single name.'),
};

const email = createRequiredEmailSchema(MISSING_USER_FIELD_MESSAGES.email);

/**
 * The same rule as for `ADMIN_USERNAME`. An '@' is not allowed, because a username with an '@' could be
 * mistaken for somebody's email address.
 */
const username = z
  .string(INVALID_USERNAME_MESSAGE)
  .trim()
  .max(MAX_USERNAME_LENGTH, INVALID_USERNAME_MESSAGE)
  .regex(/^[A-Za-z0-9._-]+$/, INVALID_USERNAME_MESSAGE);

export const profileApi = {
  changeOwn: defineEndpoint({
    method: 'PUT',
    path: '/api/admin/account',
    access: 'admin',
    summary:
      "Changes the caller's names, username and email, with the password. The previous address gets an email about changes of username and email.",
    body: z.object({
      ...names,
      username,
      email,
      // Longer than any valid password. The limit keeps hashing cheap.
      currentPassword: z
        .string(CURRENT_PASSWORD_REQUIRED_MESSAGE)
        .min(1, CURRENT_PASSWORD_REQUIRED_MESSAGE)
        .max(1024),
    }),
    answers: { 200: user },
    refusals: {
      400: 'A field is invalid, or the current password is wrong',
      409: 'Another account has the username or the email',
      429: 'Too many wrong passwords',
    },
  }),
  prove: defineEndpoint({
    method: 'POST',
    path: '/api/user/proof',
    access: 'signed-in',
    summary:
      'Confirms by password or passkey who is using this session, which sensitive changes need within the next five minutes. A caller who must use a passkey has to use it here.',
    body: z.object({
      // Longer than any valid password. The limit keeps hashing cheap.
      password: z.string().max(1024).default(''),
      passkey: passkeyAssertion.optional(),
    }),
    answers: { 200: messageBody },
    refusals: {
      400: "The password is wrong, or the passkey is invalid or another user's",
      403: 'The caller must use a passkey and sent none',
      429: 'Too many wrong passwords',
    },
  }),
  changeStudent: defineEndpoint({
    method: 'PUT',
    path: '/api/admin/users/{id}',
    access: 'admin',
    summary:
      "Changes a student's names and email. Changing the email needs a proof by `POST /api/user/proof`, and the previous address gets an email about it.",
    params: z.object({ id: z.uuid() }),
    body: z.object({ ...names, email }),
    answers: { 200: user },
    refusals: {
      403: 'The user is an admin, or the email is changed without a proof, which the issue at `proof` says',
      404: 'Unknown user',
      409: 'Another account has the email',
    },
  }),
};
