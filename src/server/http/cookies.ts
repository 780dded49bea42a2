import type { FastifyReply, FastifyRequest } from 'fastify';
import type {} from '@fastify/cookie';
import { PENDING_SIGN_OUT_COOKIE } from '#shared/pending-sign-out-cookie.ts';
import { SESSION_IDLE_TIMEOUT_SECONDS } from '../auth/sessions.ts';

export type Cookies = ReturnType<typeof createCookies>;

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** @param secure whether the site is served over https; browsers then bind the cookie to this exact host */
export function createCookies(secure: boolean) {
  const prefix = secure ? '__Host-' : '';
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
  const cookie = (name: string, maxAge: number) => ({
    name: prefix + name,
    read: (request: FastifyRequest): string | undefined => request.cookies[prefix + name],
    write: (reply: FastifyReply, value: string) =>
      void reply.setCookie(prefix + name, value, { ...attributes, maxAge }),
    clear: (reply: FastifyReply) => void reply.clearCookie(prefix + name, attributes),
  });
  const session = cookie('session', SESSION_IDLE_TIMEOUT_SECONDS);
  const forgetFiles = (reply: FastifyReply) => void reply.header('clear-site-data', '"cache"');
  return {
    session: {
      ...session,
      /**
       * Clears the cookie, and the user's files from the browser's cache (Clear-Site-Data). Never clears
       * "storage", because it contains unsent takes.
       */
      clear(reply: FastifyReply) {
        session.clear(reply);
        forgetFiles(reply);
      },
    },
    /**
     * Cookie with the id of a user who signed out while offline. The page's script sets this cookie, so its
     * name has no `__Host-` prefix.
     */
    signedOut: {
      read: ({ cookies }: FastifyRequest): string | undefined => cookies[PENDING_SIGN_OUT_COOKIE],
      /**
       * Clears this cookie and the browser's cache, but not the session cookie, which is already invalid: if
       * this response arrives late, clearing it would sign out a user who has signed in since.
       */
      clear(reply: FastifyReply) {
        void reply.clearCookie(PENDING_SIGN_OUT_COOKIE, { path: '/', sameSite: 'lax', secure });
        forgetFiles(reply);
      },
    },
    /** Cookie that identifies a browser that has signed in before, but not its user. */
    device: cookie('device', YEAR_SECONDS),
  };
}
