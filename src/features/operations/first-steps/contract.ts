import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { messageBody } from '#shared/schemas.ts';

const isDone = z.boolean();

export const firstStepsApi = {
  state: defineEndpoint({
    method: 'GET',
    path: '/api/admin/first-steps',
    access: 'admin',
    summary: 'Which first steps of a new installation are done.',
    answers: {
      200: z.object({
        isDismissed: z.boolean().describe('The caller has hidden them.'),
        who: isDone.describe('The caller has a name, an email and a password of their own.'),
        levels: isDone.describe('A level was granted to somebody or changed.'),
        melodies: isDone,
        students: isDone,
        mail: z.object({
          hasServer: z.boolean(),
          isDone: isDone.describe('The mail server has accepted an email.'),
          test: z
            .object({
              status: z.enum(['queued', 'delivered', 'undeliverable']),
              reason: z.string().nullable().describe('Why it has not been accepted so far.'),
            })
            .nullable()
            .describe("The caller's last test email."),
        }),
        backup: isDone.describe('A backup was made.'),
      }),
    },
  }),
  dismiss: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/first-steps',
    access: 'admin',
    summary: 'Hides the first steps for the caller.',
    answers: { 200: messageBody },
  }),
  testMail: defineEndpoint({
    method: 'POST',
    path: '/api/admin/first-steps/test-mail',
    access: 'admin',
    summary: 'Sends the caller an email to test the mail server.',
    answers: { 200: messageBody },
    refusals: { 409: 'There is no mail server', 429: 'Too many test emails' },
  }),
};
