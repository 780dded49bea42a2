import type { Handlers } from '#server/http/handlers.ts';
import type { recordingsApi } from '../contract.ts';
import type { RecordingsService } from './service.ts';

export const createRecordingsRoutes = (recordings: RecordingsService): Handlers<typeof recordingsApi> => ({
  submit: async ({ body, files, caller }) => {
    const { recording, isNew } = await recordings.submit(body, files.audio, caller);
    return { status: isNew ? 201 : 200, body: recording };
  },
  mine: async ({ caller, query }) => ({ status: 200, page: await recordings.listOf(caller, query.before) }),
  countMine: async ({ caller, query }) => ({
    status: 200,
    body: { count: await recordings.countOf(caller, query.melodyId) },
  }),
  waiting: async ({ caller }) => ({ status: 200, body: await recordings.waitingOf(caller) }),
  withdraw: async ({ params, caller }) => {
    await recordings.withdraw(params.id, caller);
    return { status: 200, body: { message: 'Recording taken back' } };
  },
  pendingForBadge: async ({ query }) => ({ status: 200, page: await recordings.listPending(query.after) }),
  pendingForInbox: async ({ query }) => ({
    status: 200,
    page: await recordings.listPendingWithLines(query.after),
  }),
  countPending: async () => ({ status: 200, body: { count: await recordings.countPending() } }),
});
