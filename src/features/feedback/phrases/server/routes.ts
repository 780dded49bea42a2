import type { Handlers } from '#server/http/handlers.ts';
import type { phrasesApi } from '../contract.ts';
import type { PhrasesService } from './service.ts';

export const createPhrasesRoutes = (phrases: PhrasesService): Handlers<typeof phrasesApi> => ({
  list: async ({ caller }) => ({ status: 200, body: await phrases.list(caller) }),
  offered: async ({ caller, params }) => ({
    status: 200,
    body: await phrases.listSuggestions(params.id, caller),
  }),
  add: async ({ caller, body }) => ({ status: 201, body: await phrases.add(body, caller) }),
  change: async ({ caller, params, body }) => ({
    status: 200,
    body: await phrases.change(params.id, body, caller),
  }),
  remove: async ({ caller, params }) => {
    await phrases.remove(params.id, caller);
    return { status: 200, body: { message: 'Removed' } };
  },
});
