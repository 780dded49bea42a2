import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';

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
