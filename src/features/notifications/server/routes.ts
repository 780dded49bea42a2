import type { Cookies } from '../../../platform/server/http/cookies.ts';
import type { Handlers } from '../../../platform/server/http/handlers.ts';
import type { notificationsApi } from '../contract.ts';
import type { NewsService } from './service.ts';
import type { EventStreams } from './streams.ts';

export const notificationsRoutes = (
  news: NewsService,
  streams: EventStreams,
  cookies: Cookies,
): Handlers<typeof notificationsApi> => ({
  choose: async ({ caller, body }) => {
    await news.choose(caller.id, body.wantsNewsMail);
    return { status: 200, body };
  },
  stream: async ({ caller, request, reply }) => {
    streams.open(reply, caller, cookies.session.read(request) ?? '');
  },
});
