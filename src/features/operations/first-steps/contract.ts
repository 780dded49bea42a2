import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { message } from '#shared/shapes.ts';

const isDone = z.boolean();

export const firstStepsApi = {
  state: endpoint({
    method: 'GET',
    path: '/api/admin/first-steps',
    access: 'admin',
    summary: 'What of a new installation is done.',
    answers: {
      200: z.object({
        isDismissed: z.boolean().describe('The caller does not want to see them.'),
        who: isDone.describe('The caller has a name, an email of their own and a password of their own.'),
        levels: isDone.describe('Somebody has been given a level, or one was changed.'),
        melodies: isDone,
        students: isDone,
        mail: z.object({
          hasServer: z.boolean(),
          isDone: isDone.describe('The mail server has taken a mail.'),
          test: z
            .object({
              status: z.enum(['queued', 'delivered', 'undeliverable']),
              reason: z.string().nullable().describe('Why it has not been taken so far.'),
            })
            .nullable()
            .describe("The caller's last test mail."),
        }),
        backup: isDone.describe('A backup was taken.'),
      }),
    },
  }),
  dismiss: endpoint({
    method: 'DELETE',
    path: '/api/admin/first-steps',
    access: 'admin',
    summary: 'Puts the first steps away, for the caller.',
    answers: { 200: message },
  }),
  testMail: endpoint({
    method: 'POST',
    path: '/api/admin/first-steps/test-mail',
    access: 'admin',
    summary: 'Mails the caller, to try the mail server.',
    answers: { 200: message },
    refusals: { 409: 'There is no mail server', 429: 'Too many test mails' },
  }),
};
