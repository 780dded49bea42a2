import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { messageBody } from '#shared/schemas.ts';
import { UNSUBSCRIBE_LINK_INVALID_MESSAGE } from './limits.ts';

const token = z.uuid(UNSUBSCRIBE_LINK_INVALID_MESSAGE);

/** Error responses of the two endpoints that accept the token of a link in an email. */
const byLink = {
  404: 'The link is incomplete, or its user is gone',
  429: 'Too many requests from one address or with one link',
};

export const notificationsApi = {
  choose: defineEndpoint({
    method: 'PUT',
    path: '/api/user/notifications',
    access: 'signed-in',
    summary:
      'Chooses whether email is sent when there is feedback or, for an admin, when recordings are pending.',
    body: z.object({ wantsNewsMail: z.boolean() }),
    answers: { 200: z.object({ wantsNewsMail: z.boolean() }) },
  }),
  chooseByLink: defineEndpoint({
    method: 'PUT',
    path: '/api/news-mail',
    access: 'public',
    summary: 'Chooses the same with the link in such an email, without signing in.',
    body: z.object({ token, wantsNewsMail: z.boolean() }),
    answers: { 200: z.object({ wantsNewsMail: z.boolean() }) },
    refusals: byLink,
  }),
  unsubscribe: defineEndpoint({
    method: 'POST',
    path: '/unsubscribe',
    access: 'public',
    summary:
      "Switches such emails off when the reader uses their mail provider's unsubscribe button (RFC 8058).",
    query: z.object({ token }),
    isForm: true,
    body: z.object({ 'List-Unsubscribe': z.literal('One-Click') }),
    answers: { 200: messageBody },
    refusals: byLink,
  }),
  stream: defineEndpoint({
    method: 'GET',
    path: '/api/events',
    access: 'signed-in',
    summary:
      "Server-sent events, each with the paths whose responses have become stale for the caller. The first covers everything since a position: an event's id, or the one that came with a page.",
    query: z.object({ since: z.string().optional() }),
    answers: {},
    raw: {
      200: {
        description:
          'Events with `{ "refreshes": ["/api/…"] }`; null if any may have become stale, to be asked for at a random moment `withinMs`',
        types: ['text/event-stream'],
      },
    },
    staysOpen: true,
  }),
};
