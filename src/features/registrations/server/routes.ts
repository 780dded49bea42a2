import { notFound } from '../../../platform/contract/errors.ts';
import type { Handlers } from '../../../platform/server/http/handlers.ts';
import type { registrationsApi } from '../contract.ts';
import type { RegistrationsService } from './service.ts';

const notYet = () => Promise.reject(notFound());

export const registrationsRoutes = (
  registrations: RegistrationsService,
): Handlers<typeof registrationsApi> => ({
  request: async ({ body, request }) => {
    await registrations.request(body, request.ip);
    const message =
      'Your request has been sent. The teacher will review it and send login credentials by email.';
    return { status: 201, body: { message } };
  },
  list: notYet,
  approve: notYet,
  remove: notYet,
});
