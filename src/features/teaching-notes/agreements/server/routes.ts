import type { Handlers } from '#server/http/handlers.ts';
import type { agreementsApi } from '../contract.ts';
import type { AgreementsService } from './service.ts';

export const createAgreementsRoutes = (agreements: AgreementsService): Handlers<typeof agreementsApi> => ({
  ask: async ({ body, caller }) => {
    const { agreement, isNew } = await agreements.ask(body, caller);
    return { status: isNew ? 201 : 200, body: agreement };
  },
  asked: async ({ query }) => ({ status: 200, page: await agreements.listRequests(query) }),
  withdraw: async ({ params, caller }) => {
    await agreements.withdraw(params.id, caller);
    return { status: 200, body: { message: 'Withdrawn' } };
  },
  mine: async ({ caller, query }) => ({
    status: 200,
    page: await agreements.listForStudent(caller, query.before),
  }),
  waiting: async ({ caller }) => ({ status: 200, body: { count: await agreements.countWaiting(caller) } }),
  agree: async ({ params, body, caller }) => {
    await agreements.agree(params.id, body, caller);
    return { status: 200, body: { message: 'Shared' } };
  },
  decline: async ({ params, caller }) => {
    await agreements.decline(params.id, caller);
    return { status: 200, body: { message: 'Declined' } };
  },
  revoke: async ({ params, caller }) => {
    await agreements.revoke(params.id, caller);
    return { status: 200, body: { message: 'No longer shared' } };
  },
});
