import { user } from '#features/accounts/contract.ts';
import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { createPersonNameSchema } from '#shared/person-name.ts';
import {
  createPageCursorSchema,
  createRequiredEmailSchema,
  numericId,
  messageBody,
  createLimitedTextSchema,
  timestamp,
} from '#shared/schemas.ts';
import { INCOMPLETE_USER_MESSAGE, MAX_BULK_USERS, USERS_PAGE_SIZE } from './limits.ts';
import { MAX_NAME_LENGTH } from '#features/accounts/limits.ts';

/** A user in the teacher's list. The counts show what would be deleted together with the user. */
export const listedUser = user
  .extend({
    recordingCount: z.int(),
    feedbackCount: z.int(),
    transmissionLevels: z.array(z.int()).describe('Ids of the levels granted.'),
    lastSignInAt: timestamp.nullable().describe('Null if never.'),
    passwordIssuedAt: timestamp
      .nullable()
      .describe('When the current password was issued, if it has not been used; it expires after 14 days.'),
    hasPasskeys: z.boolean(),
    waitingMails: z
      .int()
      .describe('Emails that have not arrived: delayed, given up, or to be passed on by hand.'),
  })
  .meta({ id: 'ListedUser' });
export type ListedUser = z.output<typeof listedUser>;

const userIdParams = z.object({ id: z.uuid() });

export const transmissionAccess = z
  .object({ id: z.int(), transmissionLevelId: z.int(), grantedAt: timestamp })
  .meta({ id: 'TransmissionAccess' });
export type TransmissionAccess = z.output<typeof transmissionAccess>;

export const createdUser = z.object({ user, password: z.string() }).meta({ id: 'CreatedUser' });
export type CreatedUser = z.output<typeof createdUser>;

export const userStatusFilter = z.enum(['disabled', 'never-signed-in', 'mail-waiting']);
export type UserStatusFilter = z.output<typeof userStatusFilter>;

export const bulkUserChange = z.enum(['grant', 'revoke', 'enable', 'disable', 'mail']);
export type BulkUserChange = z.output<typeof bulkUserChange>;

export const usersApi = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/admin/users',
    access: 'admin',
    summary: 'All users, by name; `q` searches names, usernames and emails, `level` and `only` filter.',
    query: z.object({
      q: createLimitedTextSchema(200).optional(),
      level: numericId.optional().describe('Only students who have this level.'),
      only: userStatusFilter.optional(),
      after: createPageCursorSchema(z.tuple([createLimitedTextSchema(500), z.uuid()])).optional(),
    }),
    pageSize: USERS_PAGE_SIZE,
    answers: { 200: z.array(listedUser) },
  }),
  one: defineEndpoint({
    method: 'GET',
    path: '/api/admin/users/{id}',
    access: 'admin',
    summary: 'One user.',
    params: userIdParams,
    answers: { 200: listedUser },
    refusals: { 404: 'Unknown user' },
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/admin/create-user-with-credentials',
    access: 'admin',
    summary: 'Creates a student with a generated password, which is returned once and not emailed.',
    body: z.object({
      email: createRequiredEmailSchema(INCOMPLETE_USER_MESSAGE),
      firstName: createPersonNameSchema(MAX_NAME_LENGTH, INCOMPLETE_USER_MESSAGE),
      lastName: createPersonNameSchema(MAX_NAME_LENGTH, INCOMPLETE_USER_MESSAGE),
      transmissionLevels: z.array(numericId).min(1, INCOMPLETE_USER_MESSAGE).max(1000),
    }),
    answers: { 201: createdUser },
    refusals: { 400: 'A field is missing or a level is unknown', 409: 'The email has an account' },
  }),
  issuePassword: defineEndpoint({
    method: 'POST',
    path: '/api/admin/users/{id}/password',
    access: 'admin',
    needsFreshProof: 'admin',
    summary:
      "Gives a student a new password, which is returned once and not emailed. All of the student's sessions end.",
    params: userIdParams,
    answers: { 201: createdUser },
    refusals: { 403: 'The user is an admin', 404: 'Unknown user', 409: 'The account is disabled' },
  }),
  accessList: defineEndpoint({
    method: 'GET',
    path: '/api/admin/users/{id}/transmission-access',
    access: 'admin',
    summary: 'The transmission levels granted to a user.',
    params: userIdParams,
    answers: { 200: z.array(transmissionAccess) },
    refusals: { 404: 'Unknown user' },
  }),
  grant: defineEndpoint({
    method: 'POST',
    path: '/api/admin/users/{id}/transmission-access',
    access: 'admin',
    summary: 'Grants a level; granting it again changes nothing and answers 200.',
    params: userIdParams,
    body: z.object({ transmissionLevelId: numericId }),
    answers: { 200: transmissionAccess, 201: transmissionAccess },
    refusals: { 400: 'No such level', 404: 'Unknown user' },
  }),
  revoke: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/users/{id}/transmission-access/{levelId}',
    access: 'admin',
    summary: 'Revokes a level, effective from the next request.',
    params: userIdParams.extend({ levelId: numericId }),
    answers: { 200: messageBody },
    refusals: { 404: 'Unknown user' },
  }),
  setStatus: defineEndpoint({
    method: 'PUT',
    path: '/api/admin/users/{id}/status',
    access: 'admin',
    summary: "Enables or disables a user; disabling ends all of the user's sessions at once.",
    params: userIdParams,
    body: z.object({ isActive: z.boolean() }),
    answers: { 200: user },
    refusals: { 403: "The caller's own account", 404: 'Unknown user' },
  }),
  changeMany: defineEndpoint({
    method: 'POST',
    path: '/api/admin/users/changes',
    access: 'admin',
    summary:
      "Applies one change to several users. One who can't be changed does not stop the others. `mail` emails students a new password.",
    body: z.object({
      userIds: z
        .array(z.uuid())
        .min(1, 'Please select at least one person.')
        .max(MAX_BULK_USERS, `Please change at most ${MAX_BULK_USERS} users at once.`),
      change: bulkUserChange,
      transmissionLevels: z
        .array(numericId)
        .max(MAX_BULK_USERS)
        .default([])
        .describe('The levels to grant or revoke.'),
      clientId: z
        .uuid()
        .describe(
          'Idempotency key: a repeated call emails nobody twice. The audit log lists what shares it as one.',
        ),
    }),
    answers: {
      200: z.object({
        successCount: z.int(),
        failureCount: z.int(),
        results: z.array(
          z.object({
            id: z.uuid(),
            ok: z.boolean(),
            message: z.string().optional().describe('The reason, if it was not changed.'),
          }),
        ),
      }),
    },
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/users/{id}',
    access: 'admin',
    summary: 'Deletes a student with all their recordings, feedback and files.',
    params: userIdParams,
    answers: { 200: messageBody },
    refusals: { 403: 'The user is an admin', 404: 'Unknown user' },
  }),
};
