import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { call, issuesOf, sentenceOf } from '#web/api/call.ts';
import { forgetSession } from '#web/api/session.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PASSWORD_MIN } from '#features/accounts/limits.ts';
import { LINK_INVALID } from '../limits.ts';
import { VisitorHeading } from '#web/layout/visitor-frame.tsx';
import { focusFirst, problemsOfNew, type Problems, typedIn } from './new-password.ts';

const FAILED = 'Failed to reset password. Please try again.';
const INVALID_LINK = { title: 'Invalid Reset Link', description: LINK_INVALID };
const INVALID_TOKEN = { title: 'Invalid Token', description: LINK_INVALID };

type Failure = { title: string; description?: string | undefined };

export function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<Failure | null>(token === '' ? INVALID_LINK : null);
  useEffect(() => {
    if (token === '') toast({ ...INVALID_LINK, variant: 'destructive' });
  }, [token]);

  const [removePasskeys, setRemovePasskeys] = useState(false);

  const fail = (found: Failure) => {
    setFailure(found);
    toast({ ...found, variant: 'destructive' });
  };
  /** Errors of a field are shown below it. */
  const refuse = (title: string, wrong: Problems) => {
    focusFirst(form.current, wrong);
    toast({ title, description: Object.values(wrong)[0], variant: 'destructive' });
  };
  const reset = useMutation({
    mutationFn: (newPassword: string) =>
      call('POST /api/password-reset/confirm', { body: { token, newPassword, removePasskeys } }),
    meta: { refreshes: [] },
    onSuccess: () => {
      forgetSession();
      toast({ title: 'Password Reset Successful' });
      onDone();
    },
    onError: (error) => {
      const wrong = issuesOf(error).find(({ path }) => path === 'newPassword');
      if (!wrong) return fail(failureOf(error));
      setProblems({ newPassword: wrong.message });
      refuse(FAILED, { newPassword: wrong.message });
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (token === '') return fail(INVALID_TOKEN);
    const { newPassword, confirmation } = typedIn(event.currentTarget);
    setFailure(null);
    const wrong = problemsOfNew(newPassword, confirmation);
    setProblems(wrong);
    if (wrong.newPassword) return refuse(titleOfLength(newPassword), wrong);
    if (wrong.confirmation) return refuse("Passwords Don't Match", wrong);
    reset.mutate(newPassword);
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <div>
        <VisitorHeading>Reset Password</VisitorHeading>
        <p className="mt-2 text-soft">Choose a new password for your account.</p>
      </div>
      {failure && <FailureNotice failure={failure} />}
      <PasswordField
        label="New password"
        name="newPassword"
        autoComplete="new-password"
        aria-required
        hint={`At least ${PASSWORD_MIN} characters`}
        error={problems.newPassword}
      />
      <PasswordField
        label="Confirm new password"
        name="confirmation"
        autoComplete="new-password"
        aria-required
        error={problems.confirmation}
      />
      <Checkbox
        label="Remove all passkeys"
        hint="Tick this if somebody else may have got into your account. You can add yours again afterwards."
        checked={removePasskeys}
        onChange={(event) => setRemovePasskeys(event.target.checked)}
      />
      <Button type="submit" variant="primary" isWide busy={reset.isPending} className="mt-1 text-base">
        Reset Password
      </Button>
      <p className="text-center">
        <Link href="/" className="link inline-block px-2 py-2 text-sm">
          Back to Sign In
        </Link>
      </p>
    </form>
  );
}

/** Links onwards if the link is invalid: this page can do nothing more then. */
function FailureNotice({ failure }: { failure: Failure }) {
  return (
    <Notice tone="danger" title={failure.title}>
      <p>{failure.description}</p>
      {failure.description === LINK_INVALID && (
        <ButtonLink href="/forgot-password" className="mt-3 mb-1">
          Ask for a new link
        </ButtonLink>
      )}
    </Notice>
  );
}

const titleOfLength = (password: string) =>
  password.length < PASSWORD_MIN ? 'Password Too Short' : 'Password Too Long';

const failureOf = (error: unknown): Failure =>
  issuesOf(error).some(({ path }) => path === 'token')
    ? INVALID_LINK
    : { title: FAILED, description: sentenceOf(error, undefined) };
