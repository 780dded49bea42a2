import { z } from 'zod';
import { timestamp } from '#shared/schemas.ts';

export const role = z.enum(['admin', 'student']);
export type Role = z.output<typeof role>;

export const user = z
  .object({
    id: z.uuid(),
    email: z.string(),
    username: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    profileImageUrl: z.string().nullable(),
    role,
    isActive: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'User',
    examples: [
      {
        id: '5f0c6a3e-8f39-4f0e-9d53-2c3f7c1d9b10',
        email: 'tashi@example.org',
        username: 'tashi',
        firstName: 'Tashi',
        lastName: 'Dolma',
        profileImageUrl: null,
        role: 'student',
        isActive: true,
        createdAt: '2026-11-01T05:00:00.000Z',
        updatedAt: '2026-11-01T05:00:00.000Z',
      },
    ],
  });
export type User = z.output<typeof user>;

/** The signed-in user, including fields that other users can't see. */
export const me = user
  .extend({
    suggestOwnPassword: z
      .boolean()
      .describe('The password was generated for them: suggest that they choose one of their own.'),
    suggestPasskey: z.boolean().describe('They have neither added a passkey nor dismissed the suggestion.'),
    asksForPasskey: z.boolean().describe('The user must also use a passkey after the password.'),
    wantsNewsMail: z
      .boolean()
      .describe(
        'Whether email is sent when there is feedback or, for an admin, when recordings are pending.',
      ),
    keepsPracticeLog: z.boolean().describe("Whether the user's practice is logged."),
    codeShownBy: z
      .string()
      .nullable()
      .describe(
        'The name of the teacher whose code started this session, until the user confirms it with their password or a passkey. Until then the session has restricted access.',
      ),
  })
  .meta({ id: 'Me' });
export type Me = z.output<typeof me>;

/** Name of a user, as others see it beside a recording. */
export const personName = z
  .object({
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    username: z.string(),
  })
  .meta({ id: 'PersonName' });
