import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { createPersonNameSchema } from '#shared/person-name.ts';
import { emailAddress, numericId } from '#shared/schemas.ts';
import { personName, role } from '#features/accounts/contract.ts';
import { MAX_NAME_LENGTH } from '#features/accounts/limits.ts';
import { FIRST_NAME_REQUIRED_MESSAGE } from '../profile/limits.ts';
import {
  MAX_INVITE_LEVELS,
  MAX_INVITES,
  NO_COMPLETE_INVITE_MESSAGE,
  TOO_MANY_LEVELS_MESSAGE,
} from './limits.ts';

/** Schema of a single row. Rows are validated separately, so that an invalid row does not stop the others. */
export const inviteSchema = z.object({
  email: emailAddress,
  firstName: createPersonNameSchema(MAX_NAME_LENGTH, FIRST_NAME_REQUIRED_MESSAGE),
  lastName: createPersonNameSchema(MAX_NAME_LENGTH, 'Please enter a last name.')
    .nullable()
    .describe('Null for somebody with a single name.'),
  transmissionLevels: z
    .array(numericId)
    .min(1, 'Please select at least one transmission level.')
    .max(MAX_INVITE_LEVELS, TOO_MANY_LEVELS_MESSAGE),
  clientId: z.uuid().optional().describe('Idempotency key: a repeated row returns the result of the first.'),
});
export type Invite = z.output<typeof inviteSchema>;

/** Maximum size of a row as JSON, in bytes. Enough for the longest names, email and ids. */
const MAX_INVITE_BYTES = 4096;

export const inviteResult = z
  .object({
    email: z.string().describe('As sent.'),
    ok: z.boolean(),
    message: z.string().optional().describe('The reason, if it was not invited.'),
  })
  .meta({ id: 'InviteResult' });
export type InviteResult = z.output<typeof inviteResult>;

/** Schema of the fields that describe the invited person. */
export const invitee = inviteSchema.omit({ transmissionLevels: true, clientId: true });

const checkedInvitee = z
  .object({
    issues: z.array(z.object({ path: z.string(), message: z.string() })),
    account: z
      .object({
        id: z.uuid(),
        ...personName.shape,
        role,
        isActive: z.boolean(),
        transmissionLevels: z.array(z.int()),
      })
      .nullable()
      .describe('The account that already has this email.'),
  })
  .meta({ id: 'CheckedInvitee' });

// Replaces a value of the wrong type with an empty one, so that only that row is invalid, not the whole
// request.
const typedInvitee = {
  email: z.string().catch(''),
  firstName: z.string().catch(''),
  lastName: z.string().nullable().catch(''),
};
const EMPTY_INVITEE = { email: '', firstName: '', lastName: '' };

const rowsSchema = <Row extends z.ZodType>(row: Row) =>
  z
    .array(row)
    .min(1, NO_COMPLETE_INVITE_MESSAGE)
    .max(MAX_INVITES, `Please send at most ${MAX_INVITES} invites at once.`);

export const invitationsApi = {
  invite: defineEndpoint({
    method: 'POST',
    path: '/api/admin/invite-users',
    access: 'admin',
    summary:
      'Creates a student for each row and emails the credentials. An invalid row does not stop the others.',
    body: z.object({
      invites: rowsSchema(
        z
          .object({
            ...typedInvitee,
            transmissionLevels: z.array(z.union([z.number(), z.string()])).catch([]),
            clientId: z.string().optional().catch(undefined),
          })
          .catch({ ...EMPTY_INVITEE, transmissionLevels: [] }),
      ),
      batch: z
        .uuid()
        .optional()
        .describe('Shared by the requests of one bulk action; the audit log lists it as one.'),
    }),
    bodyBytes: MAX_INVITES * MAX_INVITE_BYTES,
    answers: {
      200: z.object({
        successCount: z.int(),
        failureCount: z.int(),
        results: z.array(inviteResult).describe('In the order of the rows.'),
      }),
    },
  }),
  check: defineEndpoint({
    method: 'POST',
    path: '/api/admin/invite-users/check',
    access: 'admin',
    summary:
      'Checks rows before they are invited: what is wrong, and who already has an account. Changes nothing.',
    body: z.object({ invites: rowsSchema(z.object(typedInvitee).catch(EMPTY_INVITEE)) }),
    bodyBytes: MAX_INVITES * MAX_INVITE_BYTES,
    answers: {
      200: z.object({ results: z.array(checkedInvitee).describe('In the order of the rows.') }),
    },
  }),
};
