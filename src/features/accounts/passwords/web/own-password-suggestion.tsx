import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { useUser } from '#web/api/session.ts';
import { toast } from '#web/ui/toasts.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

const CHANGE_PASSWORD_PATH = '/change-password';
const PASSWORD_KEPT = 'Your password stays the same.';

/**
 * Suggests choosing a password until the user has done so or decided to keep the issued password. Shown above
 * every page except the one to which it links.
 */
export default function OwnPasswordSuggestion() {
  const { suggestOwnPassword } = useUser();
  const [address] = useLocation();
  const keep = useMutation({
    mutationFn: () => callApi('DELETE /api/user/password-suggestion'),
    meta: { refreshes: ['/api/user'] },
    onSuccess: () => {
      // Moves focus to the content, because the focused button disappears.
      document.getElementById('content')?.focus({ preventScroll: true });
      toast({ title: PASSWORD_KEPT, description: 'You can change it at any time in your Profile.' });
    },
    onError: (error) =>
      toast({ title: 'This did not work', description: toFailureMessage(error), variant: 'destructive' }),
  });
  if (!suggestOwnPassword || address === CHANGE_PASSWORD_PATH) return null;
  return (
    <Notice tone="amber" isQuiet className="mb-6 max-w-3xl">
      <p>Your password was created for you. You can choose one that’s easier to remember.</p>
      <div className="mt-1 flex flex-wrap gap-x-6">
        <Link href={CHANGE_PASSWORD_PATH} className="link inline-flex min-h-11 items-center">
          Choose my own password
        </Link>
        <button
          type="button"
          aria-disabled={keep.isPending || undefined}
          aria-busy={keep.isPending || undefined}
          onClick={() => !keep.isPending && keep.mutate()}
          className="link inline-flex min-h-11 items-center gap-2"
        >
          {keep.isPending && <Spinner />}
          Keep this one
        </button>
      </div>
      {keep.isError && (
        <p role="alert" className="mt-2 font-semibold text-danger">
          {toFailureMessage(keep.error)}
        </p>
      )}
    </Notice>
  );
}

const toFailureMessage = (error: unknown) => getErrorMessage(error, 'Please try again.');
