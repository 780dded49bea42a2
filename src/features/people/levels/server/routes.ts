import type { Handlers } from '#server/http/handlers.ts';
import type { levelsApi } from '../contract.ts';
import type { LevelsService } from './service.ts';

export const createLevelsRoutes = (levels: LevelsService): Handlers<typeof levelsApi> => ({
  mine: async ({ caller }) => ({ status: 200, body: await levels.listFor(caller) }),
  all: async () => ({ status: 200, body: await levels.list() }),
  add: async ({ body, caller }) => ({ status: 201, body: await levels.add(body, caller) }),
  change: async ({ params, body, caller }) => ({
    status: 200,
    body: await levels.change(params.id, body, caller),
  }),
  remove: async ({ params, caller }) => {
    await levels.remove(params.id, caller);
    return { status: 200, body: { message: 'Level deleted' } };
  },
  initialise: async () => {
    await levels.initialise();
    return { status: 200, body: { message: 'Ready' } };
  },
});
