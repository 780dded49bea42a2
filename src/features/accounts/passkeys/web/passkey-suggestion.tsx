import { useMutation } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Link } from 'wouter';
import { callApi } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { sessionQuery, useUser } from '#web/api/session.ts';
import { showFailureToast } from '#web/ui/toast-failure.ts';
import { Notice } from '#web/ui/notice.tsx';
import { ADD_PASSKEY_ANCHOR } from '../limits.ts';
import { usePasskeysSupported } from './use-passkeys-supported.ts';

/**
 * Suggests a passkey until the user adds one or dismisses the suggestion. Hidden while the suggestion to
 * choose a password is shown, so that there is only one suggestion at a time.
 */
export default function PasskeySuggestion({ className }: { className: string }) {
  const { suggestPasskey, suggestOwnPassword } = useUser();
  const work = usePasskeysSupported();
  const dismiss = useMutation({
    mutationFn: () => callApi('DELETE /api/user/passkey-suggestion'),
    onSuccess: () => {
      // Moves focus to the content, because the focused button disappears.
      document.getElementById('content')?.focus({ preventScroll: true });
      queryClient.setQueryData(sessionQuery.queryKey, (user) => user && { ...user, suggestPasskey: false });
    },
    onError: (error) => showFailureToast('This did not work', error),
  });
  if (!suggestPasskey || suggestOwnPassword || !work) return null;
  return (
    <Notice isQuiet className={clsx('max-w-3xl', className)}>
      <p>Next time, you can sign in with your fingerprint, face or this device’s PIN.</p>
      <div className="mt-1 flex flex-wrap gap-x-6">
        <Link
          href={`/change-password#${ADD_PASSKEY_ANCHOR}`}
          className="link inline-flex min-h-11 items-center"
        >
          Add a passkey
        </Link>
        <button
          type="button"
          aria-busy={dismiss.isPending || undefined}
          onClick={() => !dismiss.isPending && dismiss.mutate()}
          className="link inline-flex min-h-11 items-center"
        >
          Don’t suggest this again
        </button>
      </div>
    </Notice>
  );
}
