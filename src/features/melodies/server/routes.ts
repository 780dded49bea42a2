import { notFound } from '../../../platform/contract/errors.ts';
import type { Handlers } from '../../../platform/server/http/handlers.ts';
import type { melodiesApi } from '../contract.ts';
import type { MelodiesService } from './service.ts';

const notYet = () => Promise.reject(notFound());

export const melodiesRoutes = (melodies: MelodiesService): Handlers<typeof melodiesApi> => ({
  list: async ({ caller, query }) => ({
    status: 200,
    body: await melodies.list(caller, query.transmissionLevelId),
  }),
  one: async ({ caller, params }) => ({ status: 200, body: await melodies.get(caller, params.id) }),
  change: notYet,
  remove: notYet,
  add: async ({ caller, body, files }) => ({ status: 201, body: await melodies.add(body, files, caller) }),
});
