import type { Cookies } from '#server/http/cookies.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { profileApi } from '../contract.ts';
import type { ProfileService } from './service.ts';

export const createProfileRoutes = (
  account: ProfileService,
  cookies: Cookies,
): Handlers<typeof profileApi> => ({
  changeOwn: async ({ body, caller, request }) => {
    const from = { address: request.ip, device: cookies.device.read(request) };
    return { status: 200, body: await account.changeOwn(body, caller, from) };
  },
  prove: async ({ body, caller, request }) => {
    const from = { address: request.ip, device: cookies.device.read(request) };
    // A signed-in caller always sends the cookie.
    await account.prove(body, caller, { ...from, session: cookies.session.read(request)! });
    return { status: 200, body: { message: 'Thank you. You can continue.' } };
  },
  changeStudent: async ({ params, body, caller }) => ({
    status: 200,
    body: await account.changeStudent(params.id, body, caller),
  }),
});
