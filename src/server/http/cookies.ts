import type { FastifyReply, FastifyRequest } from 'fastify';
import type {} from '@fastify/cookie';
import { SIGNED_OUT_COOKIE } from '#shared/signed-out-cookie.ts';
import { SESSION_SECONDS } from '../auth/sessions.ts';

export type Cookies = ReturnType<typeof cookiesFor>;

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** @param secure whether people reach us by https; browsers then bind the cookie to this very host */
export function cookiesFor(secure: boolean) {
  const prefix = secure ? '__Host-' : '';
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure } as const;
  const cookie = (name: string, maxAge: number) => ({
    name: prefix + name,
    read: (request: FastifyRequest): string | undefined => request.cookies[prefix + name],
    write: (reply: FastifyReply, value: string) =>
      void reply.setCookie(prefix + name, value, { ...attributes, maxAge }),
    clear: (reply: FastifyReply) => void reply.clearCookie(prefix + name, attributes),
  });
  const session = cookie('session', SESSION_SECONDS);
  const forgetFiles = (reply: FastifyReply) => void reply.header('clear-site-data', '"cache"');
  return {
    session: {
      ...session,
      /**
       * Includes the browser's cache of the person's files. Never "storage": takes that are still to be sent are kept
       * there.
       */
      clear(reply: FastifyReply) {
        session.clear(reply);
        forgetFiles(reply);
      },
    },
    /** The user who signed out without a connection. Set by the page, so its name has no prefix. */
    signedOut: {
      read: ({ cookies }: FastifyRequest): string | undefined => cookies[SIGNED_OUT_COOKIE],
      /**
       * The session's cookie stays, with an id that is no longer valid: if this response arrives late, clearing it would
       * sign out whoever signed in meanwhile.
       */
      clear(reply: FastifyReply) {
        void reply.clearCookie(SIGNED_OUT_COOKIE, { path: '/', sameSite: 'lax', secure });
        forgetFiles(reply);
      },
    },
    /** Tells a browser that has signed in before from an unknown one; does not identify who is signed in. */
    device: cookie('device', YEAR_SECONDS),
  };
}
