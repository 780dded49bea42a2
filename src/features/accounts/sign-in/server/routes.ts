import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cookies } from '#server/http/cookies.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { OriginCheck } from '#server/http/origin.ts';
import type { signInApi } from '../contract.ts';
import { SIGN_IN_LINK_REQUESTED_MESSAGE } from '../limits.ts';
import type { SignInService } from './service.ts';

type StartedSession = { session: string; device: string };

export function createSignInRoutes(
  signIn: SignInService,
  cookies: Cookies,
  origins: OriginCheck,
): Handlers<typeof signInApi> {
  const getClientInfo = (request: FastifyRequest, signal: AbortSignal) => ({
    address: request.ip,
    device: cookies.device.read(request),
    userAgent: request.headers['user-agent'],
    signal,
  });

  async function setAuthCookies(
    { session, device }: StartedSession,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    // If the browser still has a session, of this or another user, the new session replaces it.
    const former = cookies.session.read(request);
    if (former) await signIn.signOut(former);
    cookies.session.write(reply, session);
    cookies.device.write(reply, device);
  }

  return {
    signIn: async ({ body, request, reply, signal }) => {
      const signedIn = await signIn.signIn(body, getClientInfo(request, signal));
      await setAuthCookies(signedIn, request, reply);
      return { status: 200, body: signedIn.user };
    },

    requestLink: async ({ body, request }) => {
      await signIn.requestLink(body.name, request.ip);
      return { status: 200, body: { message: SIGN_IN_LINK_REQUESTED_MESSAGE } };
    },

    ownerOfToken: async ({ body, request, signal }) => ({
      status: 200,
      body: await signIn.findOwner(body, getClientInfo(request, signal)),
    }),

    redeemToken: async ({ body, request, reply, signal }) => {
      const signedIn = await signIn.redeem(body, getClientInfo(request, signal));
      await setAuthCookies(signedIn, request, reply);
      return { status: 200, body: signedIn.user };
    },

    signInByPasskey: async ({ body, request, reply, signal }) => {
      const signedIn = await signIn.signInByPasskey(body.passkey, getClientInfo(request, signal));
      await setAuthCookies(signedIn, request, reply);
      return { status: 200, body: signedIn.user };
    },

    makeOwnCode: async ({ caller, request }) => ({
      status: 201,
      body: await signIn.makeOwnCode(caller, request.ip),
    }),

    makeCodeFor: async ({ params, caller, request }) => ({
      status: 201,
      body: await signIn.makeCodeFor(params.id, caller, request.ip),
    }),

    codeState: async ({ params, caller }) => ({
      status: 200,
      body: { state: await signIn.getCodeState(params.id, caller) },
    }),

    voidCode: async ({ params, caller }) => {
      await signIn.voidCode(params.id, caller);
      return { status: 200, body: { message: 'The code no longer works.' } };
    },

    codeSignIns: async ({ caller }) => ({ status: 200, body: await signIn.listCodeSignIns(caller.id) }),

    signOut: async ({ request, reply }) => {
      const session = cookies.session.read(request);
      if (session) await signIn.signOut(session);
      cookies.session.clear(reply);
      return { status: 200, body: { message: 'Signed out' } };
    },

    whoAmI: async ({ caller }) => ({ status: 200, body: caller }),

    goToSignIn: async ({ reply }) => void redirectToSignIn(reply),

    signOutByLink: async ({ request, reply }) => {
      const session = cookies.session.read(request);
      // Ignores requests that follow a link on another site, because other sites must not sign people out.
      if (session && !origins.isLedFromElsewhere(request)) {
        await signIn.signOut(session);
        cookies.session.clear(reply);
      }
      void redirectToSignIn(reply);
    },
  };
}

const redirectToSignIn = (reply: FastifyReply) => reply.header('cache-control', 'no-store').redirect('/auth');
