import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi, issuesOf, getErrorMessage } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { usePathExists } from '#web/navigation/existing-paths.ts';
import { toast } from '#web/ui/toasts.ts';
import { getSignInNote, consumeReturnPath } from '#web/navigation/return-to.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField, TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Link } from 'wouter';
import { PASSWORD_REQUIRED_MESSAGE, USERNAME_REQUIRED_MESSAGE } from '../limits.ts';
import type { SignInCredentials } from './methods.ts';

export function SignInForm({ onPasskeyRequired }: { onPasskeyRequired: (sent: SignInCredentials) => void }) {
  const canReset = usePathExists('/forgot-password');
  const signIn = useMutation({
    mutationFn: (body: SignInCredentials) => callApi('POST /api/login', { body }),
    // Reloads the whole page, so that no state of the visitor's page remains.
    onSuccess: () => location.assign(consumePathAfterSignIn(location)),
    onError: (error, sent) =>
      issuesOf(error).some(({ path }) => path === 'passkey')
        ? onPasskeyRequired(sent)
        : toast({ title: 'Login failed', description: toFailureMessage(error), variant: 'destructive' }),
  });

  const { props, problems } = useForm<Pick<SignInCredentials, 'username' | 'password'>>({
    // Doesn't use the contract's schema, because every visitor loads this form and nobody should wait for zod
    // to sign in.
    check: ({ username, password }) => ({
      ...(username.trim() === '' && { username: USERNAME_REQUIRED_MESSAGE }),
      ...(password === '' && { password: PASSWORD_REQUIRED_MESSAGE }),
    }),
    onValid: (typed) => signIn.mutate(typed),
  });

  // Keeps the form busy until the next page has loaded.
  const isBusy = signIn.isPending || signIn.isSuccess;
  const [note] = useState(getSignInNote);
  return (
    <form {...props} className="grid gap-5 pt-7">
      <h2 className="text-2xl">Welcome back</h2>
      {note && <Notice tone="amber">{note}</Notice>}
      <TextField
        label="Username"
        name="username"
        autoComplete="username webauthn"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        aria-required
        error={problems.username}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        aria-required
        error={problems.password}
      />
      {signIn.isError && <Notice tone="danger">{toFailureMessage(signIn.error)}</Notice>}
      <Button type="submit" variant="primary" isWide busy={isBusy} className="mt-1 text-base">
        Sign In
      </Button>
      {canReset && (
        // Aligned to the start, because centred text would move when the web font loads and changes the text's
        // width.
        <p>
          <Link href="/forgot-password" className="link inline-flex min-h-11 items-center text-sm">
            Forgot your password?
          </Link>
        </p>
      )}
    </form>
  );
}

const toFailureMessage = (error: unknown) =>
  getErrorMessage(error, 'We couldn’t sign you in. Please try again.');

const VISITOR_PATHS = ['/', '/auth', '/forgot-password', '/reset-password'];

/**
 * Returns the path to open after signing in: the current path or, on a page for visitors, the path where the
 * session ended (default: '/'). Clears the stored path.
 */
export function consumePathAfterSignIn({ pathname, search }: { pathname: string; search: string }) {
  const place = consumeReturnPath();
  const path = VISITOR_PATHS.includes(pathname) ? (place ?? '/') : pathname + search;
  // Replaces several leading slashes with one, because a path that begins with two slashes would open another
  // site.
  return path.replace(/^\/+/, '/');
}
