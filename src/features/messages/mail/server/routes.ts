import type { Handlers } from '#server/http/handlers.ts';
import type { mailApi } from '../contract.ts';
import type { MailService } from './service.ts';

export const createMailRoutes = (mail: MailService): Handlers<typeof mailApi> => ({
  overview: async () => ({ status: 200, body: await mail.getOverview() }),
  undeliverable: async ({ query }) => ({ status: 200, page: await mail.listUndeliverable(query.before) }),
  delayed: async ({ query }) => ({ status: 200, page: await mail.listDelayed(query.before) }),
  outbox: async ({ query }) => ({ status: 200, page: await mail.listOutbox(query.before) }),
  openText: async ({ params, caller }) => ({
    status: 200,
    body: { text: await mail.openText(params.id, caller) },
  }),
  openMany: async ({ body, caller }) => ({ status: 200, body: await mail.openMany(body, caller) }),
  passOn: async ({ body, caller }) => ({ status: 200, body: await mail.passOn(body, caller) }),
  sendAgain: async ({ params, caller }) => {
    await mail.sendAgain(params.id, caller);
    return { status: 200, body: { message: 'The email is being sent again.' } };
  },
  sendMany: async ({ body, caller }) => ({ status: 200, body: await mail.sendMany(body, caller) }),
  settle: async ({ params, caller }) => {
    await mail.removeMail(params.id, caller);
    return { status: 200, body: { message: 'The email was removed from the list.' } };
  },
});
