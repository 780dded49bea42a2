import type { Handlers } from '#server/http/handlers.ts';
import type { practiceLogApi } from '../contract.ts';
import type { PracticeLogService } from './service.ts';

export const createPracticeLogRoutes = (log: PracticeLogService): Handlers<typeof practiceLogApi> => ({
  list: async ({ caller }) => ({ status: 200, body: await log.list(caller) }),
  choose: async ({ caller, body }) => {
    await log.choose(caller, body.keepsPracticeLog);
    return { status: 200, body };
  },
  add: async ({ caller, body }) => {
    await log.add(caller, body.additions);
    return { status: 200, body: { message: 'Practice added' } };
  },
  clear: async ({ caller }) => {
    await log.clear(caller);
    return { status: 200, body: { message: 'Practice log deleted' } };
  },
  change: async ({ caller, params, body }) => {
    await log.change(caller, params.id, body);
    return { status: 200, body: { message: 'Saved' } };
  },
  remove: async ({ caller, params }) => {
    await log.remove(caller, params.id);
    return { status: 200, body: { message: 'Deleted from your practice log' } };
  },
  days: async ({ caller, params, query }) => ({
    status: 200,
    page: await log.listDays(caller, params.id, query.after?.[0]),
  }),
  correct: async ({ caller, params, body: { seconds, times, seen } }) => {
    const corrected = { day: params.day, seconds, times };
    await log.correct(caller, params.id, corrected, seen);
    return { status: 200, body: corrected };
  },
});
