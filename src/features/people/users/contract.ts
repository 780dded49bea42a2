import { user } from '#features/accounts/contract.ts';
import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { nameOfPerson } from '#shared/name-of-person.ts';
import { cursorOf, emailOr, id, message, text, time } from '#shared/shapes.ts';
import { INCOMPLETE_USER, MANY_USERS_MAX, USERS_PAGE } from './limits.ts';
import { NAME_MAX } from '#features/accounts/limits.ts';

/** A user in the teacher's list, with counts of what deleting the user would also delete. */
export const listedUser = user
  .extend({
    recordingCount: z.int(),
    feedbackCount: z.int(),
    transmissionLevels: z.array(z.int()).describe('Ids of the levels granted.'),
    lastSignInAt: time.nullable().describe('Null if never.'),
    passwordIssuedAt: time
      .nullable()
      .describe('When the current password was issued, if it has not been used; it expires after 14 days.'),
    hasPasskeys: z.boolean(),
    waitingMails: z
      .int()
      .describe('Emails that have not arrived: delayed, given up, or to be passed on by hand.'),
  })
  .meta({ id: 'ListedUser' });
export type ListedUser = z.output<typeof listedUser>;

const userId = z.object({ id: z.uuid() });

export const access = z
  .object({ id: z.int(), transmissionLevelId: z.int(), grantedAt: time })
  .meta({ id: 'TransmissionAccess' });
export type TransmissionAccess = z.output<typeof access>;

export const createdUser = z.object({ user, password: z.string() }).meta({ id: 'CreatedUser' });
export type CreatedUser = z.output<typeof createdUser>;

export const onlyUsers = z.enum(['disabled', 'never-signed-in', 'mail-waiting']);
export type OnlyUsers = z.output<typeof onlyUsers>;

export const manyChange = z.enum(['grant', 'revoke', 'enable', 'disable', 'mail']);
export type ManyChange = z.output<typeof manyChange>;

export const usersApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/users',
    access: 'admin',
    summary: 'All users, by name; `q` searches names, usernames and emails, `level` and `only` filter.',
    query: z.object({
      q: text(200).optional(),
      level: id.optional().describe('Only students who have this level.'),
      only: onlyUsers.optional(),
      after: cursorOf(z.tuple([text(500), z.uuid()])).optional(),
    }),
    pageSize: USERS_PAGE,
    answers: { 200: z.array(listedUser) },
  }),
  one: endpoint({
    method: 'GET',
    path: '/api/admin/users/{id}',
    access: 'admin',
    summary: 'One user.',
    params: userId,
    answers: { 200: listedUser },
    refusals: { 404: 'Unknown user' },
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/admin/create-user-with-credentials',
    access: 'admin',
    summary: 'Creates a student with a generated password, which is returned once and not emailed.',
    body: z.object({
      email: emailOr(INCOMPLETE_USER),
      firstName: nameOfPerson(NAME_MAX, INCOMPLETE_USER),
      lastName: nameOfPerson(NAME_MAX, INCOMPLETE_USER),
      transmissionLevels: z.array(id).min(1, INCOMPLETE_USER).max(1000),
    }),
    answers: { 201: createdUser },
    refusals: { 400: 'A field is missing or a level is unknown', 409: 'The email has an account' },
  }),
  issuePassword: endpoint({
    method: 'POST',
    path: '/api/admin/users/{id}/password',
    access: 'admin',
    needsFreshProof: 'admin',
    summary:
      "Gives a student a new password, which is returned once and not emailed. All of the student's sessions end.",
    params: userId,
    answers: { 201: createdUser },
    refusals: { 403: 'The user is an admin', 404: 'Unknown user', 409: 'The account is disabled' },
  }),
  accessList: endpoint({
    method: 'GET',
    path: '/api/admin/users/{id}/transmission-access',
    access: 'admin',
    summary: 'The transmission levels granted to a user.',
    params: userId,
    answers: { 200: z.array(access) },
    refusals: { 404: 'Unknown user' },
  }),
  grant: endpoint({
    method: 'POST',
    path: '/api/admin/users/{id}/transmission-access',
    access: 'admin',
    summary: 'Grants a level; granting it again changes nothing and answers 200.',
    params: userId,
    body: z.object({ transmissionLevelId: id }),
    answers: { 200: access, 201: access },
    refusals: { 400: 'No such level', 404: 'Unknown user' },
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/admin/users/{id}/transmission-access/{levelId}',
    access: 'admin',
    summary: 'Revokes a level, effective from the next request.',
    params: userId.extend({ levelId: id }),
    answers: { 200: message },
    refusals: { 404: 'Unknown user' },
  }),
  setStatus: endpoint({
    method: 'PUT',
    path: '/api/admin/users/{id}/status',
    access: 'admin',
    summary: "Enables or disables a user; disabling ends all of the user's sessions at once.",
    params: userId,
    body: z.object({ isActive: z.boolean() }),
    answers: { 200: user },
    refusals: { 403: "The caller's own account", 404: 'Unknown user' },
  }),
  changeMany: endpoint({
    method: 'POST',
    path: '/api/admin/users/changes',
    access: 'admin',
    summary:
      "Applies one change to several users. One who can't be changed does not stop the others. `mail` emails students a new password.",
    body: z.object({
      userIds: z
        .array(z.uuid())
        .min(1, 'Please select at least one person.')
        .max(MANY_USERS_MAX, `Please change at most ${MANY_USERS_MAX} users at once.`),
      change: manyChange,
      transmissionLevels: z
        .array(id)
        .max(MANY_USERS_MAX)
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
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/users/{id}',
    access: 'admin',
    summary: 'Deletes a student with all their recordings, feedback and files.',
    params: userId,
    answers: { 200: message },
    refusals: { 403: 'The user is an admin', 404: 'Unknown user' },
  }),
};
