import type { Cookies } from '#server/http/cookies.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { notificationsApi } from '../contract.ts';
import type { NotificationsService } from './service.ts';
import type { EventStreams } from './streams.ts';

export const createNotificationsRoutes = (
  news: NotificationsService,
  streams: EventStreams,
  cookies: Cookies,
): Handlers<typeof notificationsApi> => ({
  choose: async ({ caller, body }) => {
    await news.choose(caller.id, body.wantsNewsMail);
    return { status: 200, body };
  },
  chooseByLink: async ({ body: { token, wantsNewsMail }, request }) => {
    await news.chooseByLink(token, wantsNewsMail, request.ip);
    return { status: 200, body: { wantsNewsMail } };
  },
  unsubscribe: async ({ query, request }) => {
    await news.chooseByLink(query.token, false, request.ip);
    return { status: 200, body: { message: 'You won’t get these emails anymore.' } };
  },
  stream: async ({ caller, query, request, reply }) => {
    // Prefers the browser's last event id: after an automatic reconnect, it is newer than the position in the
    // URL.
    const lastEventId = request.headers['last-event-id'];
    const since = typeof lastEventId === 'string' ? lastEventId : (query.since ?? null);
    streams.open(reply, caller, cookies.session.read(request) ?? '', since);
  },
});
