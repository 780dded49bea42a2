import { useMutation } from '@tanstack/react-query';
import { call, sentenceOf } from '../../../platform/web/call.ts';
import { displayName } from '../../../platform/web/session.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import type { ListedUser } from '../contract.ts';
import { showUser } from './listed-users.ts';

const FAILED = 'Failed to update user status.';

/** Enables or disables, and asks to delete. Admins are not deleted. */
export function UserActions({ user, onDelete }: { user: ListedUser; onDelete: (user: ListedUser) => void }) {
  const name = displayName(user);
  const change = useMutation({
    mutationFn: (isActive: boolean) =>
      call('PUT /api/admin/users/{id}/status', { params: { id: user.id }, body: { isActive } }),
    meta: { refreshes: ['/api/admin/audit-log'] },
    onSuccess: (changed) => {
      showUser(changed);
      toast({ title: 'User Status Updated', description: `${name} ${whatFollows(changed.isActive)}` });
    },
    onError: (error) =>
      toast({
        title: FAILED,
        description: sentenceOf(error, 'Please try again.'),
        variant: 'destructive',
      }),
  });
  return (
    <>
      <div className="flex flex-wrap px-1 pb-1">
        <Button
          variant="quiet"
          busy={change.isPending}
          onClick={() => change.mutate(!user.isActive)}
          aria-label={`${user.isActive ? 'Disable' : 'Enable'} ${name}`}
          className="px-3"
        >
          {user.isActive ? 'Disable' : 'Enable'}
        </Button>
        {user.role !== 'admin' && (
          <Button
            variant="quiet"
            onClick={() => onDelete(user)}
            aria-label={`Delete ${name}`}
            className="px-3 text-danger!"
          >
            Delete
          </Button>
        )}
      </div>
      {change.isSuccess && (
        <p className="px-4 pb-3 text-sm text-jade-ink">Saved: {whatFollows(change.data.isActive)}</p>
      )}
      {change.isError && (
        <p role="alert" className="px-4 pb-3 text-sm text-danger">
          <span className="block font-semibold">{FAILED}</span>
          {sentenceOf(change.error, 'Please try again.')}
        </p>
      )}
    </>
  );
}

const whatFollows = (isActive: boolean) =>
  isActive ? 'can sign in again.' : 'is signed out everywhere, and can’t sign in.';
