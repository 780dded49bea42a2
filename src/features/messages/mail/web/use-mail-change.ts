import { useMutation } from '@tanstack/react-query';
import { callApi, CallError, getErrorMessage } from '#web/api/call.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';

const REFRESHED_PATHS = ['/api/admin/mail', '/api/admin/audit-log'] as const;

/** Returns a mutation that removes an email from the list. `done` is the title of the toast on success. */
export function useRemoveMail(id: number, done: string) {
  return useMutation({
    mutationFn: () => callApi('DELETE /api/admin/mail/{id}', { params: { id } }),
    meta: { refreshes: REFRESHED_PATHS },
    onSuccess: () => toast({ title: done }),
    onError: showFailure,
  });
}

/** Returns a mutation that resends an email by replacing it with a new one. */
export function useSendMailAgain(id: number) {
  return useMutation({
    mutationFn: () => callApi('POST /api/admin/mail/{id}/send-again', { params: { id } }),
    meta: { refreshes: REFRESHED_PATHS },
    onSuccess: () => toast({ title: 'The email is being sent again' }),
    onError: showFailure,
  });
}

export const getMailActionFailureMessage = (error: unknown) =>
  getErrorMessage(error, 'That didn’t work. Please try again.');

function showFailure(error: unknown) {
  toast({ title: getMailActionFailureMessage(error), variant: 'destructive' });
  // Refetches the list, which is stale: another teacher has handled the email, or it has been delivered.
  if (error instanceof CallError && [404, 409].includes(error.status)) refreshQueries(REFRESHED_PATHS);
}
