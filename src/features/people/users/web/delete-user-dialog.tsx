import { useMutation } from '@tanstack/react-query';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { ignoreNotFound } from '#web/api/ignore-not-found.ts';
import { formatDisplayName } from '#web/api/session.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import type { ListedUser } from '../contract.ts';
import { describeDeletionImpact } from './deletion-impact.ts';
import { removeCachedUser, useFreshUser } from './listed-users.ts';

export type UserDeletionResult = { isFailure: boolean; title: string; text: string };

type DeleteUserDialogProps = {
  user: ListedUser | null;
  onClose: () => void;
  /** `deletedId` is null if the deletion failed. */
  onDone: (deletion: UserDeletionResult, deletedId: string | null) => void;
};

const FAILED = 'Failed to delete user.';

export function DeleteUserDialog({ user: asked, onClose, onDone }: DeleteUserDialogProps) {
  const user = useFreshUser(asked);
  const remove = useMutation({
    mutationFn: ({ id }: ListedUser) =>
      ignoreNotFound(callApi('DELETE /api/admin/users/{id}', { params: { id } })),
    meta: {
      refreshes: [
        '/api/admin/pending-recordings',
        '/api/recordings/pending',
        '/api/admin/feedback',
        '/api/admin/mail',
        '/api/admin/audit-log',
      ],
    },
    onSuccess: (_answer, deleted) => {
      const text = `${formatDisplayName(deleted)} has been deleted.`;
      toast({ title: 'User Deleted', description: text });
      onDone({ isFailure: false, title: 'User Deleted', text }, deleted.id);
      removeCachedUser(deleted.id);
    },
    onError: (error) => {
      const text = getErrorMessage(error, 'Please try again.');
      toast({ title: FAILED, description: text, variant: 'destructive' });
      onDone({ isFailure: true, title: FAILED, text }, null);
    },
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={user !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      sentence={`Are you sure you want to delete ${user ? formatDisplayName(user) : ''}? This action cannot be undone.`}
      note={user && describeDeletionImpact(user)}
      confirmLabel="Delete"
      isDangerous
      busy={remove.isPending}
      onConfirm={() => user && remove.mutate(user)}
    />
  );
}
