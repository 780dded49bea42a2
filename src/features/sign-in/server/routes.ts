import type { FastifyReply } from 'fastify';
import type { Cookies } from '../../../platform/server/http/cookies.ts';
import type { Handlers } from '../../../platform/server/http/handlers.ts';
import type { Origins } from '../../../platform/server/http/origin.ts';
import type { signInApi } from '../contract.ts';
import type { SignInService } from './service.ts';

export const signInRoutes = (
  signIn: SignInService,
  cookies: Cookies,
  origins: Origins,
): Handlers<typeof signInApi> => ({
  signIn: async ({ body, request, reply, signal }) => {
    const from = {
      address: request.ip,
      device: cookies.device.read(request),
      userAgent: request.headers['user-agent'],
      signal,
    };
    const { user, session, device } = await signIn.signIn(body.username, body.password, from);
    // A session that the browser still had is another person's, or an old one of the same: it ends here.
    const former = cookies.session.read(request);
    if (former) await signIn.signOut(former);
    cookies.session.write(reply, session);
    cookies.device.write(reply, device);
    return { status: 200, body: user };
  },

  signOut: async ({ request, reply }) => {
    const session = cookies.session.read(request);
    if (session) await signIn.signOut(session);
    cookies.session.clear(reply);
    return { status: 200, body: { message: 'Signed out' } };
  },

  whoAmI: async ({ caller }) => ({ status: 200, body: caller }),

  goToSignIn: async ({ reply }) => void toSignIn(reply),

  signOutByLink: async ({ request, reply }) => {
    const session = cookies.session.read(request);
    // Another site may link people here, but may not sign them out.
    if (session && !origins.isLedFromElsewhere(request)) {
      await signIn.signOut(session);
      cookies.session.clear(reply);
    }
    void toSignIn(reply);
  },
});

const toSignIn = (reply: FastifyReply) => reply.header('cache-control', 'no-store').redirect('/auth');
