import type { Handlers } from '#server/http/handlers.ts';
import type { NightlyBackups } from './service.ts';
import type { backupsApi } from '../contract.ts';

export const createBackupsRoutes = (
  backups: Pick<NightlyBackups, 'getState'>,
): Handlers<typeof backupsApi> => ({
  state: async () => ({ status: 200, body: await backups.getState() }),
});
