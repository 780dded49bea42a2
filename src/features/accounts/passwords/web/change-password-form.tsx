import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { call, issuesOf, sentenceOf } from '#web/api/call.ts';
import { useUser } from '#web/api/session.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PASSWORD_MIN } from '#features/accounts/limits.ts';
import { focusFirst, problemsOfChange, type Problems, typedIn } from './new-password.ts';

const FAILED = 'Failed to change password';
const CHANGED = 'Password changed';
const WHAT_FOLLOWS = 'Sign in with it from now on. Your other devices have been signed out.';

export function ChangePasswordForm() {
  const { username } = useUser();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      call('POST /api/user/change-password', { body }),
    meta: { refreshes: ['/api/user'] },
    onSuccess: () => {
      form.current?.reset();
      toast({ title: CHANGED, description: WHAT_FOLLOWS });
    },
    onError: (error) => {
      const found = problemsIn(error);
      setProblems(found);
      focusFirst(form.current, found);
      toast({ title: FAILED, description: sentenceOf(error, undefined), variant: 'destructive' });
    },
  });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { currentPassword, newPassword, confirmation } = typedIn(event.currentTarget);
    const found = problemsOfChange(currentPassword, newPassword, confirmation);
    setProblems(found);
    change.reset();
    const [first] = Object.values(found);
    if (!first) return change.mutate({ currentPassword, newPassword });
    focusFirst(event.currentTarget, found);
    toast({ title: FAILED, description: first, variant: 'destructive' });
  };

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {/* For password managers, which need the username. */}
      <input hidden readOnly name="username" autoComplete="username" value={username} />
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        aria-required
        error={problems.currentPassword}
      />
      <Requirements />
      <PasswordField
        label="New password"
        name="newPassword"
        autoComplete="new-password"
        aria-required
        error={problems.newPassword}
      />
      <PasswordField
        label="Confirm new password"
        name="confirmation"
        autoComplete="new-password"
        aria-required
        error={problems.confirmation}
      />
      {change.isError && Object.keys(problems).length === 0 && (
        <Notice tone="danger" title={FAILED}>
          {sentenceOf(change.error, undefined)}
        </Notice>
      )}
      {change.isSuccess && (
        <Notice tone="success" title={CHANGED}>
          {WHAT_FOLLOWS}
        </Notice>
      )}
      <Button
        type="submit"
        variant="primary"
        busy={change.isPending}
        className="max-sm:w-full sm:justify-self-start"
      >
        Change Password
      </Button>
    </form>
  );
}

function Requirements() {
  return (
    <section aria-labelledby="password-requirements" className="rounded-md bg-sunk px-4 py-3 text-sm">
      <h2 id="password-requirements" className="font-sans font-semibold">
        Password requirements
      </h2>
      <ul className="mt-1 list-disc ps-5">
        <li>At least {PASSWORD_MIN} characters</li>
        <li>Different from current</li>
        <li>A mix of letters, numbers and symbols recommended</li>
      </ul>
    </section>
  );
}

const problemsIn = (error: unknown): Problems =>
  Object.fromEntries(
    issuesOf(error)
      .filter(({ path }) => path === 'currentPassword' || path === 'newPassword')
      .map(({ path, message }) => [path, message]),
  );
