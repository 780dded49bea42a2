import { useMutation } from '@tanstack/react-query';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { describePasskeyFailure, requestPasskey } from '#features/accounts/passkeys/web/authenticator.ts';
import { consumePathAfterSignIn } from './sign-in-form.tsx';
import { SignInStep } from './sign-in-step.tsx';

type PasskeySignInProps = {
  title: string;
  children: string;
  send: (passkey: Awaited<ReturnType<typeof requestPasskey>>) => Promise<unknown>;
  onBack: () => void;
};

const CANCELLED = 'Sign-in was cancelled. Please try again, or sign in another way.';

/** Requests a passkey only when the user presses a button, because some browsers require a user gesture. */
export function PasskeySignIn({ title, children, send, onBack }: PasskeySignInProps) {
  const signIn = useMutation<unknown, Error>({
    mutationFn: async () => send(await requestPasskey()),
    onSuccess: () => location.assign(consumePathAfterSignIn(location)),
  });
  return (
    <SignInStep title={title} onBack={onBack}>
      <p className="text-soft">{children}</p>
      {signIn.isError && <Notice tone="danger">{describePasskeyFailure(signIn.error, CANCELLED)}</Notice>}
      <Button
        variant="primary"
        isWide
        busy={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate()}
        className="text-base"
      >
        Use my passkey
      </Button>
    </SignInStep>
  );
}
