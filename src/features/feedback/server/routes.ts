import type { Handlers } from '../../../platform/server/http/handlers.ts';
import { nextPage } from '../../../platform/server/http/history.ts';
import { HISTORY_PAGE } from '../../recordings/limits.ts';
import { feedbackApi } from '../contract.ts';
import type { FeedbackService } from './service.ts';

export const feedbackRoutes = (feedback: FeedbackService): Handlers<typeof feedbackApi> => ({
  send: async ({ body, files, caller }) => {
    const { feedback: sent, isNew } = await feedback.send(body, files.audioFeedback, caller);
    return { status: isNew ? 201 : 200, body: sent };
  },
  mine: async ({ caller, query }) => {
    const rows = await feedback.listOf(caller, query.before);
    return { status: 200, body: rows, headers: nextPage(feedbackApi.mine.path, rows, HISTORY_PAGE) };
  },
  given: async ({ query }) => {
    const rows = await feedback.listGiven(query.before);
    return { status: 200, body: rows, headers: nextPage(feedbackApi.given.path, rows, HISTORY_PAGE) };
  },
  setStatus: async ({ params, body, caller }) => ({
    status: 200,
    body: await feedback.setStatus(params.id, body.status, caller),
  }),
  unreadCount: async ({ caller }) => ({ status: 200, body: { count: await feedback.countUnread(caller) } }),
});
