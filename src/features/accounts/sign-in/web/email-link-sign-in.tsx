import { useMutation } from '@tanstack/react-query';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SIGN_IN_LINK_REQUESTED_MESSAGE, SIGN_IN_TOKEN_TTL_MINUTES } from '../limits.ts';
import { SignInStep } from './sign-in-step.tsx';

/** @param props.name username that the user has already typed */
export function EmailLinkSignIn({ name, onBack }: { name: string; onBack: () => void }) {
  const request = useMutation({
    mutationFn: (body: { name: string }) => callApi('POST /api/sign-in/link', { body }),
  });
  const { props, problems } = useForm<{ name: string }>({
    schema: async () => (await import('../contract.ts')).signInApi.requestLink.body,
    onValid: (typed) => request.mutate(typed),
  });
  if (request.isSuccess) return <LinkSent onBack={onBack} />;

  return (
    <SignInStep title="Email me a link" onBack={onBack}>
      <p className="text-soft">We’ll email you a link. Open it and press the button to sign in.</p>
      <form {...props} className="grid gap-5">
        <TextField
          label="Username or email"
          name="name"
          defaultValue={name}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={254}
          aria-required
          error={problems.name}
        />
        {request.isError && (
          <Notice tone="danger">
            {getErrorMessage(request.error, 'This did not work. Please try again.')}
          </Notice>
        )}
        <Button type="submit" variant="primary" isWide busy={request.isPending} className="text-base">
          Email me a link
        </Button>
      </form>
    </SignInStep>
  );
}

function LinkSent({ onBack }: { onBack: () => void }) {
  return (
    <SignInStep title="Check Your Email" onBack={onBack}>
      <p>{SIGN_IN_LINK_REQUESTED_MESSAGE}</p>
      <ul className="list-disc space-y-2 ps-5 text-soft">
        <li>The link works once and expires after {SIGN_IN_TOKEN_TTL_MINUTES} minutes.</li>
        <li>If no email arrives within a few minutes, check your spam folder.</li>
        <li>Open the link on the device where you want to sign in.</li>
      </ul>
    </SignInStep>
  );
}
