import type { Handlers } from '#server/http/handlers.ts';
import type { teachingNotesApi } from '../contract.ts';
import type { TeachingNotesService } from './service.ts';

export const createTeachingNotesRoutes = (
  notes: TeachingNotesService,
): Handlers<typeof teachingNotesApi> => ({
  list: async ({ caller, params }) => ({ status: 200, body: await notes.list(params.id, caller) }),
  add: async ({ caller, params, body }) => {
    const { note, isNew } = await notes.add(params.id, body, caller);
    return { status: isNew ? 201 : 200, body: note };
  },
  order: async ({ params, body }) => {
    await notes.order(params.id, body.ids);
    return { status: 200, body: { message: 'Ordered' } };
  },
  change: async ({ params, body }) => ({ status: 200, body: await notes.change(params.id, body) }),
  remove: async ({ params }) => {
    await notes.remove(params.id);
    return { status: 200, body: { message: 'Withdrawn' } };
  },
});
