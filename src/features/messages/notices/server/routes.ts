import type { Handlers } from '#server/http/handlers.ts';
import type { NoticesService } from '#server/notices.ts';
import type { noticesApi } from '../contract.ts';

export const createNoticesRoutes = (
  notices: Pick<NoticesService, 'list' | 'dismiss'>,
): Handlers<typeof noticesApi> => ({
  list: async () => ({ status: 200, body: await notices.list() }),
  dismiss: async ({ params }) => {
    await notices.dismiss(params.kind);
    return { status: 200, body: { message: 'Hidden' } };
  },
});
