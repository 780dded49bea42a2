import { useMutation } from '@tanstack/react-query';
import { type ApiResponse, callApi, getErrorMessage } from '#web/api/call.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { isPasskeyRequiredError } from '#features/accounts/passkeys/web/authenticator.ts';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { consumePathAfterSignIn } from './sign-in-form.tsx';
import { SignInStep } from './sign-in-step.tsx';
import type { OneTimeToken } from './methods.ts';

type ConfirmAccountStepProps = {
  given: OneTimeToken;
  owner: ApiResponse<'POST /api/sign-in/one-time/owner'>;
  onBack: () => void;
};

/**
 * Shows whose account the link or code opens, because its sender may want to lure others into the sender's
 * account.
 */
export function ConfirmAccountStep({ given, owner, onBack }: ConfirmAccountStepProps) {
  const name = formatDisplayName(owner);
  const signIn = useMutation({
    mutationFn: () => callApi('POST /api/sign-in/one-time', { body: given }),
    onSuccess: () => location.assign(consumePathAfterSignIn(location)),
  });
  if (signIn.isError && isPasskeyRequiredError(signIn.error))
    return (
      <PasskeySignIn
        title="Confirm with your passkey"
        send={(passkey) => callApi('POST /api/sign-in/one-time', { body: { ...given, passkey } })}
        onBack={onBack}
      >
        Your account also requires a passkey.
      </PasskeySignIn>
    );
  return (
    <SignInStep title={`Sign in as ${name}?`} onBack={onBack}>
      <p className="text-soft">
        This {given.kind} signs you in as <strong className="text-ink">{owner.username}</strong>. Continue
        only if that’s your account.
      </p>
      {signIn.isError && (
        <Notice tone="danger" title="Login failed">
          {getErrorMessage(signIn.error, 'We couldn’t sign you in. Please try again.')}
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
    </SignInStep>
  );
}
