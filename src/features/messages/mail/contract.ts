import { MAIL_KINDS } from '#shared/kinds.ts';
import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { idCursorQuery, numericId, messageBody, timestamp } from '#shared/schemas.ts';
import { MAX_RESENT_EMAILS_PER_CALL, EMAILS_PAGE_SIZE, MAX_PASSED_ON_EMAILS_PER_CALL } from './limits.ts';

const mail = z.object({
  id: z.int(),
  kind: z.enum(MAIL_KINDS),
  recipient: z.string(),
  name: z.string().describe('Id of the recipient.'),
  subject: z.string(),
  createdAt: timestamp,
});

/** Email whose delivery failed. It is either undeliverable or still being retried. */
export const failedMail = mail
  .extend({ reason: z.string().describe('The reason, in words for the teacher.') })
  .meta({ id: 'TroubledMail' });
export type FailedMail = z.output<typeof failedMail>;

/**
 * Email that was written while there was no mail server. It waits in the outbox until the teacher passes it
 * on or sends it.
 */
export const outboxMail = mail
  .extend({
    isHidden: z
      .boolean()
      .describe('Whether its text is hidden from everyone, because the recipient is a teacher.'),
  })
  .meta({ id: 'OutboxMail' });
export type OutboxMail = z.output<typeof outboxMail>;

/** Id that groups the audit entries of several requests. */
const batch = z.uuid('batch must be a UUID');

export const mailApi = {
  overview: defineEndpoint({
    method: 'GET',
    path: '/api/admin/mail',
    access: 'admin',
    summary: 'Number of emails that need the teacher.',
    answers: {
      200: z.object({
        hasServer: z
          .boolean()
          .describe('Whether there is a mail server. Without one, emails go to the outbox.'),
        undeliverable: z.int(),
        outbox: z.int(),
        delayed: z.int().describe('Emails that are still being retried.'),
        newestDelayed: failedMail.nullable(),
      }),
    },
  }),
  undeliverable: defineEndpoint({
    method: 'GET',
    path: '/api/admin/mail/undeliverable',
    access: 'admin',
    summary: 'Emails that could not be delivered, newest first.',
    query: idCursorQuery,
    pageSize: EMAILS_PAGE_SIZE,
    answers: { 200: z.array(failedMail) },
  }),
  delayed: defineEndpoint({
    method: 'GET',
    path: '/api/admin/mail/delayed',
    access: 'admin',
    summary: 'Emails that are still being retried, newest first.',
    query: idCursorQuery,
    pageSize: EMAILS_PAGE_SIZE,
    answers: { 200: z.array(failedMail) },
  }),
  outbox: defineEndpoint({
    method: 'GET',
    path: '/api/admin/mail/outbox',
    access: 'admin',
    summary: 'Emails in the outbox, newest first.',
    query: idCursorQuery,
    pageSize: EMAILS_PAGE_SIZE,
    answers: { 200: z.array(outboxMail) },
  }),
  openText: defineEndpoint({
    method: 'POST',
    path: '/api/admin/mail/{id}/text',
    access: 'admin',
    needsFreshProof: 'admin',
    summary: 'The text of an email in the outbox. The audit log records who opened it.',
    params: z.object({ id: numericId }),
    answers: {
      200: z.object({ text: z.string().nullable().describe("Null if its file can't be read here.") }),
    },
    refusals: { 403: 'An email to a teacher', 404: 'No such email' },
  }),
  openMany: defineEndpoint({
    method: 'POST',
    path: '/api/admin/mail/outbox/texts',
    access: 'admin',
    needsFreshProof: 'admin',
    summary: `The texts of up to ${EMAILS_PAGE_SIZE} emails in the outbox, newest first, except those to teachers and those whose file can't be read here. The audit log records who opened them.`,
    body: z.object({ batch, before: numericId.optional() }),
    answers: {
      200: z.object({
        mails: z.array(mail.omit({ kind: true }).extend({ username: z.string(), text: z.string() })),
        before: z.int().nullable().describe('Cursor for the next page; null after the last.'),
      }),
    },
  }),
  passOn: defineEndpoint({
    method: 'POST',
    path: '/api/admin/mail/outbox/passed-on',
    access: 'admin',
    summary:
      'Marks emails in the outbox as passed on by hand. Emails that are not in the outbox are skipped, so the call can be repeated.',
    body: z.object({ batch, ids: z.array(numericId).min(1).max(MAX_PASSED_ON_EMAILS_PER_CALL) }),
    answers: { 200: z.object({ passedOn: z.int() }) },
  }),
  sendAgain: defineEndpoint({
    method: 'POST',
    path: '/api/admin/mail/{id}/send-again',
    access: 'admin',
    summary:
      'Queues a new email in place of one that could not be delivered or is in the outbox. An email with a password gets a new password.',
    params: z.object({ id: numericId }),
    answers: { 200: messageBody },
    refusals: { 404: 'No such email', 409: 'It is already being sent' },
  }),
  sendMany: defineEndpoint({
    method: 'POST',
    path: '/api/admin/mail/send-again',
    access: 'admin',
    summary: `Replaces up to ${MAX_RESENT_EMAILS_PER_CALL} emails like \`send-again\`. An email that was already replaced is skipped.`,
    body: z.object({ which: z.enum(['outbox', 'undeliverable']), before: numericId.optional() }),
    answers: {
      200: z.object({
        sent: z.int(),
        failed: z.int().describe('Emails that stay in the list, such as those to disabled users.'),
        before: z.int().nullable().describe('Cursor for the next page; null after the last.'),
      }),
    },
    refusals: { 409: 'There is no mail server' },
  }),
  settle: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/mail/{id}',
    access: 'admin',
    summary: 'Removes an email from the list, because it was passed on by hand or given up.',
    params: z.object({ id: numericId }),
    answers: { 200: messageBody },
    refusals: { 404: 'No such email' },
  }),
};
