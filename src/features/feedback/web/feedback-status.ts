import { useMutation } from '@tanstack/react-query';
import { call, sentenceOf } from '#web/api/call.ts';
import { keepInPages } from '#web/navigation/pages.ts';
import { before } from '#web/ui/sentences.ts';
import { toast } from '#web/ui/toasts.ts';
import type { Feedback, FeedbackStatus } from '../contract.ts';

/** Requested by the student, so its outcome is shown. */
export const useMarkIntegrated = (id: number) =>
  useMutation({
    ...statusChange(id, 'integrated'),
    onSuccess: (changed: Feedback) => {
      keep(changed);
      toast({ title: 'Feedback marked as integrated' });
    },
    onError: (error) => toast({ title: 'Error', description: whyNotMarked(error), variant: 'destructive' }),
  });

export const whyNotMarked = (error: unknown) =>
  before('Failed to update feedback status.', sentenceOf(error, 'Please try again.'));

/** Automatic, so a failure is silent; it is retried at the next visit. */
export function useMarkRead(id: number) {
  return useMutation({ ...statusChange(id, 'read'), onSuccess: keep }).mutate;
}

const statusChange = (id: number, status: FeedbackStatus) => ({
  mutationFn: () => call('PATCH /api/feedback/{id}/status', { params: { id }, body: { status } }),
  meta: { refreshes: ['/api/feedback/unread-count'] as const },
});

const keep = (changed: Feedback) => keepInPages('/api/feedback', changed);
