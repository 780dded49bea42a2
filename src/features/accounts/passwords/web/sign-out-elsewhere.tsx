import { useMutation } from '@tanstack/react-query';
import { call, sentenceOf } from '#web/api/call.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

const DONE = 'You are signed out everywhere else.';
const FAILED = 'Signing out elsewhere did not work';

export function SignOutElsewhere() {
  const end = useMutation({
    mutationFn: () => call('POST /api/user/sign-out-elsewhere'),
    meta: { refreshes: ['/api/user/sessions'] },
    onSuccess: () => toast({ title: DONE }),
    onError: (error) => toast({ title: FAILED, description: failureOf(error), variant: 'destructive' }),
  });
  return (
    <div className="grid gap-3">
      {end.isError && (
        <Notice tone="danger" title={FAILED}>
          {failureOf(end.error)}
        </Notice>
      )}
      {end.isSuccess && <Notice tone="success">{DONE}</Notice>}
      <Button busy={end.isPending} onClick={() => end.mutate()} className="justify-self-start max-sm:w-full">
        Sign out everywhere else
      </Button>
    </div>
  );
}

const failureOf = (error: unknown) => sentenceOf(error, 'Please try again.');
