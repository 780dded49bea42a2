import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call, sentenceOf } from '../../../platform/web/call.ts';
import { useUser } from '../../../platform/web/session.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { Button, ButtonLink } from '../../../platform/web/ui/button.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';

const PAGE = '/change-password';
const KEPT = 'Your password stays as it is.';

/** Stands above every page, but for the one that it leads to, until the user has chosen one way or the other. */
export function OwnPasswordSuggestion() {
  const { suggestOwnPassword } = useUser();
  const [address] = useLocation();
  const keep = useMutation({
    mutationFn: () => call('DELETE /api/user/password-suggestion'),
    meta: { refreshes: ['/api/user'] },
    onSuccess: () => {
      // What was pressed goes away.
      document.getElementById('content')?.focus({ preventScroll: true });
      toast({ title: KEPT, description: 'You can change it at any time under your name.' });
    },
    onError: (error) =>
      toast({ title: 'This did not work', description: failureOf(error), variant: 'destructive' }),
  });
  if (!suggestOwnPassword || address === PAGE) return null;
  return (
    <Notice tone="amber" isQuiet className="mb-6 max-w-3xl">
      <p>Your password was made for you. You may choose one of your own that is easier to remember.</p>
      <div className="mt-3 mb-1 flex flex-wrap gap-3">
        <ButtonLink href={PAGE}>Choose my own password</ButtonLink>
        <Button variant="quiet" busy={keep.isPending} onClick={() => keep.mutate()}>
          Keep this one
        </Button>
      </div>
      {keep.isError && (
        <p role="alert" className="mt-2 font-semibold text-danger">
          {failureOf(keep.error)}
        </p>
      )}
    </Notice>
  );
}

const failureOf = (error: unknown) => sentenceOf(error, 'Please try again.');
