import { useMutation } from '@tanstack/react-query';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { passkeyFailure, usedPasskey } from '#features/accounts/passkeys/web/authenticator.ts';
import { pathAfterSignIn } from './sign-in-form.tsx';
import { Step } from './step.tsx';

type ByPasskeyProps = {
  title: string;
  children: string;
  send: (passkey: Awaited<ReturnType<typeof usedPasskey>>) => Promise<unknown>;
  onBack: () => void;
};

const CANCELLED = 'Sign-in was cancelled. Please try again, or sign in another way.';

/** Asks for a passkey when a button is pressed, which some browsers require. */
export function ByPasskey({ title, children, send, onBack }: ByPasskeyProps) {
  const signIn = useMutation<unknown, Error>({
    mutationFn: async () => send(await usedPasskey()),
    onSuccess: () => location.assign(pathAfterSignIn(location)),
  });
  return (
    <Step title={title} onBack={onBack}>
      <p className="text-soft">{children}</p>
      {signIn.isError && <Notice tone="danger">{passkeyFailure(signIn.error, CANCELLED)}</Notice>}
      <Button
        variant="primary"
        isWide
        busy={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate()}
        className="text-base"
      >
        Use my passkey
      </Button>
    </Step>
  );
}
