import type { Cookies } from '#server/http/cookies.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { passwordsApi } from '../contract.ts';
import { RESET_REQUESTED_MESSAGE } from '../limits.ts';
import type { PasswordsService } from './service.ts';

export const createPasswordsRoutes = (
  passwords: PasswordsService,
  cookies: Cookies,
): Handlers<typeof passwordsApi> => ({
  change: async ({ caller, body, request, reply }) => {
    const from = {
      address: request.ip,
      session: cookies.session.read(request),
      device: cookies.device.read(request),
    };
    cookies.session.write(reply, await passwords.change(caller.id, body, from));
    return { status: 200, body: { message: 'Password changed' } };
  },

  keepIssued: async ({ caller }) => {
    await passwords.dismissPasswordSuggestion(caller.id);
    return { status: 200, body: { message: 'Your password stays the same.' } };
  },

  endOtherSessions: async ({ caller, request, reply }) => {
    cookies.session.write(reply, await passwords.endOtherSessions(caller.id, cookies.session.read(request)));
    return { status: 200, body: { message: 'You are signed out everywhere else.' } };
  },

  sessions: async ({ caller, request }) => ({
    status: 200,
    body: await passwords.listSessions(caller.id, cookies.session.read(request)!),
  }),

  endSession: async ({ caller, params }) => {
    await passwords.endSession(caller.id, params.id);
    return { status: 200, body: { message: 'That device is signed out' } };
  },

  requestReset: async ({ body, request }) => {
    await passwords.requestReset(body.email, request.ip);
    return { status: 200, body: { message: RESET_REQUESTED_MESSAGE } };
  },

  confirmReset: async ({ body, request, reply }) => {
    const from = {
      address: request.ip,
      session: cookies.session.read(request),
      device: cookies.device.read(request),
    };
    cookies.device.write(reply, await passwords.confirmReset(body, from));
    cookies.session.clear(reply);
    return { status: 200, body: { message: 'Password reset' } };
  },
});
