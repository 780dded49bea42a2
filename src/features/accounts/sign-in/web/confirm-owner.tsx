import { useMutation } from '@tanstack/react-query';
import { type Answer, call, sentenceOf } from '#web/api/call.ts';
import { displayName } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { isAskedFor } from '#features/accounts/passkeys/web/authenticator.ts';
import { ByPasskey } from './by-passkey.tsx';
import { pathAfterSignIn } from './sign-in-form.tsx';
import { Step } from './step.tsx';
import type { OneTime } from './ways.ts';

type ConfirmOwnerProps = {
  given: OneTime;
  owner: Answer<'POST /api/sign-in/one-time/owner'>;
  onBack: () => void;
};

/**
 * Shows whose account it is, because a link or code may come from somebody who wants to lure others into
 * their account.
 */
export function ConfirmOwner({ given, owner, onBack }: ConfirmOwnerProps) {
  const name = displayName(owner);
  const signIn = useMutation({
    mutationFn: () => call('POST /api/sign-in/one-time', { body: given }),
    onSuccess: () => location.assign(pathAfterSignIn(location)),
  });
  if (signIn.isError && isAskedFor(signIn.error))
    return (
      <ByPasskey
        title="Confirm with your passkey"
        send={(passkey) => call('POST /api/sign-in/one-time', { body: { ...given, passkey } })}
        onBack={onBack}
      >
        Your account also requires a passkey.
      </ByPasskey>
    );
  return (
    <Step title={`Sign in as ${name}?`} onBack={onBack}>
      <p className="text-soft">
        This {given.kind} signs you in as <strong className="text-ink">{owner.username}</strong>. Continue
        only if that’s your account.
      </p>
      {signIn.isError && (
        <Notice tone="danger" title="Login failed">
          {sentenceOf(signIn.error, 'We couldn’t sign you in. Please try again.')}
        </Notice>
      )}
      <Button
        variant="primary"
        isWide
        busy={signIn.isPending || signIn.isSuccess}
        onClick={() => signIn.mutate()}
        className="text-base"
      >
        Sign in as <bdi>{name}</bdi>
      </Button>
    </Step>
  );
}
