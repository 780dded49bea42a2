import type { Handlers } from '#server/http/handlers.ts';
import type { packApi } from '../contract.ts';
import type { PackService } from './service.ts';

export const createPackRoutes = (pack: PackService): Handlers<typeof packApi> => ({
  manifest: async ({ caller, query }) => ({
    status: 200,
    body: await pack.getManifest(caller, query.melodies, query.own === 'yes'),
  }),
});
