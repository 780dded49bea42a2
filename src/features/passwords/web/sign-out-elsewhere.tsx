import { useMutation } from '@tanstack/react-query';
import { call, sentenceOf } from '../../../platform/web/call.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Card } from '../../../platform/web/ui/card.tsx';
import { Notice } from '../../../platform/web/ui/notice.tsx';

const DONE = 'You are signed out everywhere else.';
const FAILED = 'Signing out elsewhere did not work';

export function SignOutElsewhere() {
  const end = useMutation({
    mutationFn: () => call('POST /api/user/sign-out-elsewhere'),
    meta: { refreshes: [] },
    onSuccess: () => toast({ title: DONE }),
    onError: (error) => toast({ title: FAILED, description: failureOf(error), variant: 'destructive' }),
  });
  return (
    <Card as="section" aria-labelledby="sign-out-elsewhere">
      <h2 id="sign-out-elsewhere" className="text-2xl">
        Sign out everywhere else
      </h2>
      <p className="mt-1 text-soft">
        If you lost a phone, or forgot to sign out on somebody else’s. On this device you stay signed in.
      </p>
      {end.isError && (
        <Notice tone="danger" title={FAILED} className="mt-4">
          {failureOf(end.error)}
        </Notice>
      )}
      {end.isSuccess && (
        <Notice tone="success" className="mt-4">
          {DONE}
        </Notice>
      )}
      <Button busy={end.isPending} onClick={() => end.mutate()} className="mt-5 max-sm:w-full">
        Sign out everywhere else
      </Button>
    </Card>
  );
}

const failureOf = (error: unknown) => sentenceOf(error, 'Please try again.');
