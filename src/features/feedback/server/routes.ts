import type { Handlers } from '#server/http/handlers.ts';
import type { feedbackApi } from '../contract.ts';
import type { FeedbackService } from './service.ts';

export const createFeedbackRoutes = (feedback: FeedbackService): Handlers<typeof feedbackApi> => ({
  send: async ({ body, files, caller }) => {
    const sent = await feedback.send(body, files.audioFeedback, caller);
    if ('held' in sent) return { status: 202, body: sent.held };
    return { status: sent.isNew ? 201 : 200, body: sent.feedback };
  },
  mine: async ({ caller, query }) => ({
    status: 200,
    page: await feedback.listForStudent(caller, query.before),
  }),
  given: async ({ query, signal }) => ({ status: 200, page: await feedback.listAllFeedback(query, signal) }),
  correct: async ({ params, body, files, caller }) => ({
    status: 200,
    body: await feedback.correct(params.id, body, files.audioFeedback, caller),
  }),
  ofRecording: async ({ params }) => ({ status: 200, body: await feedback.getByRecording(params.id) }),
  thread: async ({ params, query, caller }) => ({
    status: 200,
    page: await feedback.listThread(params.id, caller, query.before),
  }),
  latest: async ({ params, caller }) => ({
    status: 200,
    body: { feedback: await feedback.findLatest(params.id, caller) },
  }),
  drafts: async ({ caller, query }) => ({ status: 200, page: await feedback.listDrafts(caller, query) }),
  keepDraft: async ({ params, body, caller }) => {
    const revision = await feedback.saveDraft({ recordingId: params.id, ...body }, caller);
    return { status: 200, body: { message: 'Draft saved', revision } };
  },
  held: async ({ caller }) => ({ status: 200, body: await feedback.held.list(caller) }),
  takeBack: async ({ params, query, caller }) => ({
    status: 200,
    body: await feedback.held.undo(params.id, caller, { keepsDraft: query.keepsDraft !== 'false' }),
  }),
  aside: async ({ caller, query }) => ({
    status: 200,
    page: await feedback.listSnoozedRecordings(caller, query.after),
  }),
  putAside: async ({ params, body, caller }) => {
    await feedback.snooze(params.id, body.until === null ? null : new Date(body.until), caller);
    return { status: 200, body: { message: 'Snoozed' } };
  },
  setStatus: async ({ params, body, caller }) => ({
    status: 200,
    body: await feedback.setStatus(params.id, body.status, caller),
  }),
  newestUnread: async ({ caller }) => ({
    status: 200,
    body: { newest: await feedback.findNewestUnread(caller) },
  }),
  unreadCount: async ({ caller }) => ({ status: 200, body: { count: await feedback.countUnread(caller) } }),
});
