import type { Handlers } from '#server/http/handlers.ts';
import type { uploadsApi } from '../contract.ts';
import type { UploadsService } from './service.ts';

export const createUploadsRoutes = (uploads: UploadsService): Handlers<typeof uploadsApi> => ({
  begin: async ({ caller, params, body }) => ({
    status: 200,
    body: { received: await uploads.begin(caller, params.clientId, body) },
  }),
  append: async ({ caller, params, query, bytes }) => {
    const key = { ownerId: caller.id, clientId: params.clientId };
    return { status: 200, body: { received: await uploads.append(key, query.start, bytes) } };
  },
  examination: ({ caller, params }) => {
    const examination = uploads.getInspectionProgress({ ownerId: caller.id, clientId: params.clientId });
    return Promise.resolve({ status: 200, body: { examination } });
  },
  forget: async ({ caller, params }) => {
    await uploads.cancel(caller.id, params.clientId);
    return { status: 200, body: { message: 'Forgotten' } };
  },
});
