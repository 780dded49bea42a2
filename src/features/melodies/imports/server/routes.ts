import type { Handlers } from '#server/http/handlers.ts';
import type { melodyImportsApi } from '../contract.ts';
import type { MelodyImportsService } from './service.ts';

export const createMelodyImportsRoutes = (
  imports: MelodyImportsService,
): Handlers<typeof melodyImportsApi> => ({
  list: async () => ({ status: 200, body: await imports.list() }),
  known: async ({ body }) => ({ status: 200, body: await imports.findKnown(body) }),
  undo: async ({ params }) => {
    await imports.undo(params.id);
    return { status: 200, body: { message: 'Import undone' } };
  },
});
