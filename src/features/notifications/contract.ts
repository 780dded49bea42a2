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
    summary: 'Server-sent events: each names the paths whose responses have become stale for the caller.',
    answers: {},
    raw: 'text/event-stream of `{ "refreshes": ["/api/…"] }`',
    staysOpen: true,
  }),
};
