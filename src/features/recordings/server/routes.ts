import type { Handlers } from '../../../platform/server/http/handlers.ts';
import { nextPage } from '../../../platform/server/http/history.ts';
import { recordingsApi } from '../contract.ts';
import { HISTORY_PAGE } from '../limits.ts';
import type { RecordingsService } from './service.ts';

export const recordingsRoutes = (recordings: RecordingsService): Handlers<typeof recordingsApi> => ({
  submit: async ({ body, files, caller }) => {
    const { recording, isNew } = await recordings.submit(body, files.audio, caller);
    return { status: isNew ? 201 : 200, body: recording };
  },
  mine: async ({ caller, query }) => {
    const rows = await recordings.listOf(caller, query.before);
    return { status: 200, body: rows, headers: nextPage(recordingsApi.mine.path, rows, HISTORY_PAGE) };
  },
  countMine: async ({ caller, query }) => ({
    status: 200,
    body: { count: await recordings.countOf(caller, query.melodyId) },
  }),
  withdraw: async ({ params, caller }) => {
    await recordings.withdraw(params.id, caller);
    return { status: 200, body: { message: 'Recording withdrawn' } };
  },
  pendingForBadge: async () => ({ status: 200, body: await recordings.listPending() }),
  pendingForInbox: async () => ({ status: 200, body: await recordings.listPending() }),
});
