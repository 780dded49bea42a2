import type { Handlers } from '../../../platform/server/http/handlers.ts';
import type { Notices } from '../../../platform/server/notices.ts';
import type { noticesApi } from '../contract.ts';

export const noticesRoutes = (notices: Pick<Notices, 'list'>): Handlers<typeof noticesApi> => ({
  list: async () => ({ status: 200, body: await notices.list() }),
});
