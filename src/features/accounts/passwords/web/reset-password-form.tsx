import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { callApi, issuesOf, getErrorMessage } from '#web/api/call.ts';
import { clearSession } from '#web/api/session.ts';
import { useForm } from '#web/forms/use-form.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { MIN_PASSWORD_LENGTH } from '#features/accounts/limits.ts';
import {
  RESET_LINK_INVALID_MESSAGE,
  PASSWORDS_DO_NOT_MATCH_MESSAGE,
  PASSWORD_TOO_LONG_MESSAGE,
} from '../limits.ts';
import { VisitorHeading } from '#web/layout/visitor-layout.tsx';

const FAILED = 'Failed to reset password. Please try again.';
const INVALID_LINK = { title: 'Invalid Reset Link', description: RESET_LINK_INVALID_MESSAGE };

type Failure = { title: string; description?: string | undefined };

export function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [removePasskeys, setRemovePasskeys] = useState(false);

  const showFailure = (found: Failure) => {
    setFailure(found);
    toast({ ...found, variant: 'destructive' });
  };
  const reset = useMutation({
    mutationFn: (newPassword: string) =>
      callApi('POST /api/password-reset/confirm', { body: { token, newPassword, removePasskeys } }),
    meta: { refreshes: [] },
    onSuccess: () => {
      clearSession();
      toast({ title: 'Password Reset Successful' });
      onDone();
    },
    onError: (error) => {
      const failed = toFailure(error);
      if (form.showServerErrors(error)) toast({ ...failed, variant: 'destructive' });
      else showFailure(failed);
    },
  });

  const form = useForm<{ newPassword: string; confirmation: string }>({
    schema: async () =>
      (await import('../contract.ts')).passwordsApi.confirmReset.body.pick({ newPassword: true }),
    check: ({ newPassword, confirmation }) =>
      newPassword === confirmation ? {} : { confirmation: PASSWORDS_DO_NOT_MATCH_MESSAGE },
    onValid: ({ newPassword }) => {
      setFailure(null);
      reset.mutate(newPassword);
    },
    onInvalid: ({ newPassword, confirmation }) => {
      setFailure(null);
      toast({
        title: getErrorTitle(newPassword),
        description: newPassword ?? confirmation,
        variant: 'destructive',
      });
    },
  });
  return (
    <form {...form.props} className="grid gap-5">
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
        hint={`At least ${MIN_PASSWORD_LENGTH} characters`}
        error={form.problems.newPassword}
      />
      <PasswordField
        label="Confirm new password"
        name="confirmation"
        autoComplete="new-password"
        aria-required
        error={form.problems.confirmation}
      />
      <Checkbox
        label="Remove all passkeys"
        hint="Tick this if someone else may have got into your account. You can add your own passkeys again later."
        checked={removePasskeys}
        onChange={(event) => setRemovePasskeys(event.target.checked)}
      />
      <Button type="submit" variant="primary" isWide busy={reset.isPending} className="mt-1 text-base">
        Reset Password
      </Button>
      <BackToSignIn />
    </form>
  );
}

const BackToSignIn = () => (
  <p className="text-center">
    <Link href="/" className="link inline-flex min-h-11 items-center px-2 text-sm">
      Back to Sign In
    </Link>
  </p>
);

const NO_TOKEN = { title: 'Invalid Token', description: RESET_LINK_INVALID_MESSAGE };

/**
 * Replaces the form if the end of the link is missing, for example because an email broke the link into two
 * lines.
 */
export function IncompleteResetLinkMessage() {
  useEffect(() => toast({ ...NO_TOKEN, variant: 'destructive' }), []);
  return (
    <div className="grid gap-5">
      <VisitorHeading>Reset Password</VisitorHeading>
      <Notice tone="danger" title={INVALID_LINK.title}>
        <p>{RESET_LINK_INVALID_MESSAGE}</p>
        <p>Part of the link is missing. Open it from your email again, or request a new one.</p>
      </Notice>
      <ButtonLink href="/forgot-password" variant="primary" isWide className="text-base">
        Request a new link
      </ButtonLink>
      <BackToSignIn />
    </div>
  );
}

/**
 * Shows why the reset failed. Offers a new link if the link is invalid, because trying another password would
 * not help.
 */
function FailureNotice({ failure }: { failure: Failure }) {
  return (
    <Notice tone="danger" title={failure.title}>
      <p>{failure.description}</p>
      {failure.description === RESET_LINK_INVALID_MESSAGE && (
        <ButtonLink href="/forgot-password" className="mt-3 mb-1">
          Request a new link
        </ButtonLink>
      )}
    </Notice>
  );
}

/** @param problem error about the new password; undefined if only the confirmation is wrong */
const getErrorTitle = (problem: string | undefined) => {
  if (problem === undefined) return "Passwords Don't Match";
  return problem === PASSWORD_TOO_LONG_MESSAGE ? 'Password Too Long' : 'Password Too Short';
};

const toFailure = (error: unknown): Failure =>
  issuesOf(error).some(({ path }) => path === 'token')
    ? INVALID_LINK
    : { title: FAILED, description: getErrorMessage(error, undefined) };
