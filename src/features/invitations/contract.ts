import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { nameOfPerson } from '../../platform/contract/name-of-person.ts';
import { email, id } from '../../platform/contract/shapes.ts';
import { NAME_MAX } from '../users/limits.ts';
import { INVITE_LEVELS_MAX, INVITES_MAX, NO_COMPLETE_INVITE, TOO_MANY_LEVELS } from './limits.ts';

/** The schema of one row; rows are validated one by one, so that an invalid one does not stop the others. */
export const invite = z.object({
  email,
  firstName: nameOfPerson(NAME_MAX, 'Please enter a first name.'),
  lastName: nameOfPerson(NAME_MAX, 'Please enter a last name.'),
  transmissionLevels: z
    .array(id)
    .min(1, 'Please select at least one transmission level.')
    .max(INVITE_LEVELS_MAX, TOO_MANY_LEVELS),
});
export type Invite = z.output<typeof invite>;

/** The size in JSON of a row with the longest possible names, email and ids. */
const INVITE_BYTES = 4096;

export const inviteResult = z
  .object({
    email: z.string().describe('As it was sent.'),
    ok: z.boolean(),
    message: z.string().optional().describe('Why not, if it was not.'),
  })
  .meta({ id: 'InviteResult' });
export type InviteResult = z.output<typeof inviteResult>;

export const invitationsApi = {
  invite: endpoint({
    method: 'POST',
    path: '/api/admin/invite-users',
    access: 'admin',
    summary:
      'Creates a student for each row and mails the credentials. An invalid row never stops the others.',
    body: z.object({
      invites: z
        .array(
          // Invalid values are read as absent, so that only their row is refused.
          z
            .object({
              email: z.string().catch(''),
              firstName: z.string().catch(''),
              lastName: z.string().catch(''),
              transmissionLevels: z.array(z.union([z.number(), z.string()])).catch([]),
            })
            .catch({ email: '', firstName: '', lastName: '', transmissionLevels: [] }),
        )
        .min(1, NO_COMPLETE_INVITE)
        .max(INVITES_MAX, `Please send at most ${INVITES_MAX} invites at once.`),
    }),
    bodyBytes: INVITES_MAX * INVITE_BYTES,
    answers: {
      200: z.object({
        successCount: z.int(),
        failureCount: z.int(),
        results: z.array(inviteResult).describe('In the order of the rows.'),
      }),
    },
  }),
};
