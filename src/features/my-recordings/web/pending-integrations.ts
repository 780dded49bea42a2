import { useEffect } from 'react';
import { callApi, CallError } from '#web/api/call.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { listDraftNames, loadDraft, saveDraft } from '#web/drafts/draft-storage.ts';

// Feedback marked as integrated whose undo window is still open. The new status is stored on the device, so
// that the next visit can send it if the browser is killed before the window closes.

/** Time in which the student can undo the change, in milliseconds. */
export const INTEGRATION_UNDO_WINDOW_MS = 10_000;

const NAME_PREFIX = 'integrated ';

const getDraftName = (feedbackId: number) => `${NAME_PREFIX}${feedbackId}`;

export const storePendingIntegration = (userId: string, feedbackId: number) =>
  saveDraft(userId, getDraftName(feedbackId), { dueAt: Date.now() + INTEGRATION_UNDO_WINDOW_MS });

export const removePendingIntegration = (userId: string, feedbackId: number) =>
  saveDraft(userId, getDraftName(feedbackId), null);

/** Sends the status changes that an earlier visit left on the device, each once its undo window is over. */
export function useSendPendingIntegrations(userId: string) {
  useEffect(() => {
    const timers = listDraftNames(userId, NAME_PREFIX).map((name) => {
      const { dueAt = 0 } = (loadDraft(userId, name) ?? {}) as { dueAt?: number };
      const feedbackId = Number(name.slice(NAME_PREFIX.length));
      // Limits the wait to the undo window, because the device's clock may have been set back since the change
      // was stored.
      const wait = Math.min(dueAt - Date.now(), INTEGRATION_UNDO_WINDOW_MS);
      return setTimeout(() => void sendPendingIntegration(userId, feedbackId), wait);
    });
    return () => timers.forEach((timer) => clearTimeout(timer));
  }, [userId]);
}

/**
 * Sends a stored change. If that fails, the change stays on the device, and the next visit tries again,
 * unless the feedback no longer exists.
 */
async function sendPendingIntegration(userId: string, feedbackId: number) {
  // If there is no stored change, another tab has already sent or undone it.
  if (!loadDraft(userId, getDraftName(feedbackId))) return;
  const options = { params: { id: feedbackId }, body: { status: 'integrated' as const } };
  try {
    await callApi('PATCH /api/feedback/{id}/status', options);
  } catch (error) {
    const isGone = error instanceof CallError && error.status === 404;
    if (!isGone) return;
  }
  removePendingIntegration(userId, feedbackId);
  refreshQueries(['/api/feedback']);
}
