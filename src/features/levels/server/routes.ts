import { notFound } from '../../../platform/contract/errors.ts';
import type { Handlers } from '../../../platform/server/http/handlers.ts';
import type { levelsApi } from '../contract.ts';
import type { LevelsService } from './service.ts';

const notYet = () => Promise.reject(notFound());

export const levelsRoutes = (levels: LevelsService): Handlers<typeof levelsApi> => ({
  mine: async ({ caller }) => ({ status: 200, body: await levels.listFor(caller) }),
  all: async () => ({ status: 200, body: await levels.list() }),
  add: notYet,
  change: notYet,
  remove: notYet,
  initialise: async () => {
    await levels.initialise();
    return { status: 200, body: { message: 'Ready' } };
  },
});
