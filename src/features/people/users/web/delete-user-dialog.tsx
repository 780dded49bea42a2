import { useMutation } from '@tanstack/react-query';
import { call, sentenceOf } from '#web/api/call.ts';
import { unlessGone } from '#web/api/unless-gone.ts';
import { displayName } from '#web/api/session.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import type { ListedUser } from '../contract.ts';
import { deletionImpact } from './deletion-impact.ts';
import { forgetUser, useUserNow } from './listed-users.ts';

export type Deletion = { isFailure: boolean; title: string; text: string };

type DeleteUserDialogProps = {
  user: ListedUser | null;
  onClose: () => void;
  /** `deletedId` is null if the deletion failed. */
  onDone: (deletion: Deletion, deletedId: string | null) => void;
};

const FAILED = 'Failed to delete user.';

export function DeleteUserDialog({ user: asked, onClose, onDone }: DeleteUserDialogProps) {
  const user = useUserNow(asked);
  const remove = useMutation({
    mutationFn: ({ id }: ListedUser) => unlessGone(call('DELETE /api/admin/users/{id}', { params: { id } })),
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
      const text = `${displayName(deleted)} has been deleted.`;
      toast({ title: 'User Deleted', description: text });
      onDone({ isFailure: false, title: 'User Deleted', text }, deleted.id);
      forgetUser(deleted.id);
    },
    onError: (error) => {
      const text = sentenceOf(error, 'Please try again.');
      toast({ title: FAILED, description: text, variant: 'destructive' });
      onDone({ isFailure: true, title: FAILED, text }, null);
    },
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={user !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      sentence={`Are you sure you want to delete ${user ? displayName(user) : ''}? This action cannot be undone.`}
      note={user && deletionImpact(user)}
      confirmLabel="Delete"
      isDangerous
      busy={remove.isPending}
      onConfirm={() => user && remove.mutate(user)}
    />
  );
}
