import { useMutation } from '@tanstack/react-query';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { SIGN_IN_CODE_LENGTH, normalizeSignInCode } from '../sign-in-code.ts';
import { SIGN_IN_TOKEN_TTL_MINUTES } from '../limits.ts';
import { ConfirmAccountStep } from './confirm-account-step.tsx';
import { SignInStep } from './sign-in-step.tsx';

const INCOMPLETE = `Please enter all ${SIGN_IN_CODE_LENGTH} letters and digits of the code.`;

export function CodeSignIn({ onBack }: { onBack: () => void }) {
  const find = useMutation({
    mutationFn: (token: string) =>
      callApi('POST /api/sign-in/one-time/owner', { body: { kind: 'code', token } }),
    onError: (error) => form.show({ code: getErrorMessage(error, 'This did not work. Please try again.') }),
  });
  const form = useForm<{ code: string }>({
    check: ({ code }) =>
      normalizeSignInCode(code).length === SIGN_IN_CODE_LENGTH ? {} : { code: INCOMPLETE },
    onValid: ({ code }) => find.mutate(normalizeSignInCode(code)),
  });
  if (find.isSuccess)
    return (
      <ConfirmAccountStep given={{ kind: 'code', token: find.variables }} owner={find.data} onBack={onBack} />
    );

  return (
    <SignInStep title="Enter a sign-in code" onBack={onBack}>
      <p className="text-soft">
        On a device where you’re signed in, open the menu under your name and choose “Sign in on another
        device”. Or ask your teacher for a code. The code works for {SIGN_IN_TOKEN_TTL_MINUTES} minutes.
      </p>
      <form {...form.props} className="grid gap-5">
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          maxLength={20}
          aria-required
          hint="For example ABCD-1234. Capitals and the hyphen don’t matter."
          error={form.problems.code}
          className="[&_input]:text-xl [&_input]:tracking-[0.15em] [&_input]:uppercase"
        />
        <Button type="submit" variant="primary" isWide busy={find.isPending} className="text-base">
          Continue
        </Button>
      </form>
    </SignInStep>
  );
}
