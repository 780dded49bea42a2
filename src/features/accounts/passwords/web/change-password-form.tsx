import { useMutation } from '@tanstack/react-query';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { useUser } from '#web/api/session.ts';
import { useForm } from '#web/forms/use-form.ts';
import { toast } from '#web/ui/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { MIN_PASSWORD_LENGTH } from '#features/accounts/limits.ts';
import { PASSWORDS_DO_NOT_MATCH_MESSAGE, PASSWORD_UNCHANGED_MESSAGE } from '../limits.ts';

const FAILED = 'Failed to change password';
const CHANGED = 'Password changed';
const NEXT_STEP = 'Sign in with it from now on. Your other devices have been signed out.';

export function ChangePasswordForm() {
  const { username } = useUser();
  const change = useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      callApi('POST /api/user/change-password', { body }),
    meta: { refreshes: ['/api/user'] },
    onSuccess: () => {
      form.reset();
      toast({ title: CHANGED, description: NEXT_STEP });
    },
    onError: (error) => {
      form.showServerErrors(error);
      toast({ title: FAILED, description: getErrorMessage(error, undefined), variant: 'destructive' });
    },
  });

  const form = useForm<{ currentPassword: string; newPassword: string; confirmation: string }>({
    schema: async () => (await import('../contract.ts')).passwordsApi.change.body,
    check: ({ currentPassword, newPassword, confirmation }) => ({
      ...(currentPassword !== '' &&
        newPassword === currentPassword && { newPassword: PASSWORD_UNCHANGED_MESSAGE }),
      ...(newPassword !== confirmation && { confirmation: PASSWORDS_DO_NOT_MATCH_MESSAGE }),
    }),
    onValid: ({ currentPassword, newPassword }) => change.mutate({ currentPassword, newPassword }),
    onInvalid: (problems) => {
      change.reset();
      toast({ title: FAILED, description: Object.values(problems)[0], variant: 'destructive' });
    },
  });
  const { problems } = form;

  return (
    <form {...form.props} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {/* Provides the username to password managers. */}
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
      {change.isError && !form.isShownAtField && (
        <Notice tone="danger" title={FAILED}>
          {getErrorMessage(change.error, undefined)}
        </Notice>
      )}
      {change.isSuccess && (
        <Notice tone="success" title={CHANGED}>
          {NEXT_STEP}
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
        <li>At least {MIN_PASSWORD_LENGTH} characters</li>
        <li>Different from current</li>
        <li>A mix of letters, numbers and symbols recommended</li>
      </ul>
    </section>
  );
}
