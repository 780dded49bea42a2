import type { Handlers } from '#server/http/handlers.ts';
import type { registrationsApi } from '../contract.ts';
import type { RegistrationsService } from './service.ts';

export const createRegistrationsRoutes = (
  registrations: RegistrationsService,
): Handlers<typeof registrationsApi> => ({
  request: async ({ body, request }) => {
    await registrations.request(body, request.ip);
    const message =
      'Your request has been sent. The teacher will review it and send login credentials by email.';
    return { status: 201, body: { message } };
  },
  list: async ({ query }) => ({ status: 200, page: await registrations.list(query) }),
  countPending: async () => ({ status: 200, body: { count: await registrations.countPending() } }),
  recent: async () => ({ status: 200, body: await registrations.recent() }),
  approve: async ({ body, caller }) => {
    const user = await registrations.approve(body.requestId, body.transmissionLevels ?? [], caller);
    const message = "User approved. Login credentials have been sent to the user's email.";
    return { status: 200, body: { message, user } };
  },
  remove: async ({ params, caller }) => {
    await registrations.remove(params.id, caller);
    return { status: 200, body: { message: 'Registration request has been removed from the queue.' } };
  },
});
