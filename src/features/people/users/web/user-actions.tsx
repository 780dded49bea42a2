import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { showFailureToast } from '#web/ui/toast-failure.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import type { ListedUser } from '../contract.ts';
import { updateCachedUser } from './listed-users.ts';

export const STATUS_UPDATE_FAILED_MESSAGE = 'Failed to update user status.';
export const DISABLE_USER_NOTE =
  'They’re signed out everywhere and can’t sign in until you enable the account again. Nothing is deleted.';

/** Buttons to enable, disable or delete a user. Admins can't be deleted. */
export function UserActions({ user, onDelete }: { user: ListedUser; onDelete: (user: ListedUser) => void }) {
  const name = formatDisplayName(user);
  const [isAsking, setIsAsking] = useState(false);
  const change = useMutation({
    mutationFn: (isActive: boolean) =>
      callApi('PUT /api/admin/users/{id}/status', { params: { id: user.id }, body: { isActive } }),
    meta: { refreshes: ['/api/admin/audit-log'] },
    onSuccess: (changed) => {
      updateCachedUser(changed);
      toast({ title: 'User Status Updated', description: `${name} ${describeStatus(changed.isActive)}` });
    },
    onError: (error) => showFailureToast(STATUS_UPDATE_FAILED_MESSAGE, error),
  });
  const disableOrEnable = () => (user.isActive ? setIsAsking(true) : change.mutate(true));
  return (
    <>
      <div className="flex flex-wrap max-lg:-ms-3">
        <Button
          variant="quiet"
          busy={change.isPending}
          onClick={disableOrEnable}
          aria-label={`${user.isActive ? 'Disable' : 'Enable'} ${name}`}
          className="px-3 @max-xl:px-2"
        >
          {user.isActive ? 'Disable' : 'Enable'}
        </Button>
        {user.role !== 'admin' && (
          <Button
            variant="quiet"
            onClick={() => onDelete(user)}
            aria-label={`Delete ${name}`}
            className="px-3 text-danger! @max-xl:px-2 dark:text-soft! dark:hover:text-danger!"
          >
            Delete
          </Button>
        )}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence={`Disable the account of ${name}?`}
        note={DISABLE_USER_NOTE}
        confirmLabel="Disable"
        busy={change.isPending}
        onConfirm={() => change.mutate(false, { onSettled: () => setIsAsking(false) })}
      />
      {change.isSuccess && (
        <p className="w-full px-4 pb-3 text-sm text-jade-ink">
          Saved: {name} {describeStatus(change.data.isActive)}
        </p>
      )}
      {change.isError && (
        <p role="alert" className="w-full px-4 pb-3 text-sm text-danger">
          <span className="block font-semibold">{STATUS_UPDATE_FAILED_MESSAGE}</span>
          {getErrorMessage(change.error, 'Please try again.')}
        </p>
      )}
    </>
  );
}

const describeStatus = (isActive: boolean) =>
  isActive ? 'can sign in again.' : 'is signed out everywhere and can’t sign in.';
