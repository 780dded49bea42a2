import { useMutation } from '@tanstack/react-query';
import { call, CallError, getErrorMessage } from '#web/api/call.ts';
import { refresh } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';

const REFRESHED_PATHS = ['/api/admin/mail', '/api/admin/audit-log'] as const;

/** Takes a mail off the list; `done` is the toast on success. */
export function useSettleMail(id: number, done: string) {
  return useMutation({
    mutationFn: () => call('DELETE /api/admin/mail/{id}', { params: { id } }),
    meta: { refreshes: REFRESHED_PATHS },
    onSuccess: () => toast({ title: done }),
    onError: showFailure,
  });
}

/** Replaces a mail with a new one. */
export function useSendMailAgain(id: number) {
  return useMutation({
    mutationFn: () => call('POST /api/admin/mail/{id}/send-again', { params: { id } }),
    meta: { refreshes: REFRESHED_PATHS },
    onSuccess: () => toast({ title: 'The email is being sent again' }),
    onError: showFailure,
  });
}

export const toFailureMessage = (error: unknown) =>
  getErrorMessage(error, 'That didn’t work. Please try again.');

function showFailure(error: unknown) {
  toast({ title: toFailureMessage(error), variant: 'destructive' });
  // Another teacher was faster, or it was delivered: the list is stale.
  if (error instanceof CallError && [404, 409].includes(error.status)) refresh(REFRESHED_PATHS);
}
