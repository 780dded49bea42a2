import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { message } from '#shared/shapes.ts';
import { NEWS_LINK_INVALID } from './limits.ts';

const token = z.uuid(NEWS_LINK_INVALID);

/** Errors of the two calls that a link in a mail allows. */
const byLink = {
  404: 'The link is incomplete, or its user is gone',
  429: 'Too many requests from one address, or with one link',
};

export const notificationsApi = {
  choose: endpoint({
    method: 'PUT',
    path: '/api/user/notifications',
    access: 'signed-in',
    summary:
      'Chooses whether mail is sent when there is feedback or, for an admin, when recordings are pending.',
    body: z.object({ wantsNewsMail: z.boolean() }),
    answers: { 200: z.object({ wantsNewsMail: z.boolean() }) },
  }),
  chooseByLink: endpoint({
    method: 'PUT',
    path: '/api/news-mail',
    access: 'public',
    summary: 'The same by the link in such a mail, without signing in.',
    body: z.object({ token, wantsNewsMail: z.boolean() }),
    answers: { 200: z.object({ wantsNewsMail: z.boolean() }) },
    refusals: byLink,
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/unsubscribe',
    access: 'public',
    summary:
      "Switches such mails off, as the reader's mail provider does at the press of its button (RFC 8058).",
    query: z.object({ token }),
    isForm: true,
    body: z.object({ 'List-Unsubscribe': z.literal('One-Click') }),
    answers: { 200: message },
    refusals: byLink,
  }),
  stream: endpoint({
    method: 'GET',
    path: '/api/events',
    access: 'signed-in',
    summary:
      'Server-sent events: each names the paths whose responses have become stale for the caller. The first names those since a position: the id of an event, or what came with a page.',
    query: z.object({ since: z.string().optional() }),
    answers: {},
    raw: {
      200: {
        says: 'Events with `{ "refreshes": ["/api/…"] }`; null if any may have become stale, to be asked for at a random moment `withinMs`',
        types: ['text/event-stream'],
      },
    },
    staysOpen: true,
  }),
};
