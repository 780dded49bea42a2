import { useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import type { Registration } from '../contract.ts';
import { failed, type Outcome, refreshedByDecision, succeeded } from './outcome.ts';

type DeleteRequestDialogProps = {
  request: Registration | null;
  onClose: () => void;
  onOutcome: (outcome: Outcome) => void;
};

export function DeleteRequestDialog({ request, onClose, onOutcome }: DeleteRequestDialogProps) {
  const remove = useMutation({
    mutationFn: ({ id }: Registration) =>
      call('DELETE /api/admin/registration-requests/{id}', { params: { id } }),
    meta: { refreshes: refreshedByDecision },
    onSuccess: (_answer, deleted) =>
      onOutcome(
        succeeded(deleted, 'Request deleted', 'Registration request has been removed from the queue'),
      ),
    onError: (error, kept) => onOutcome(failed(kept, 'Delete failed', error)),
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={request !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      sentence={`Delete the request of ${request?.fullName ?? ''}?`}
      note={`${request?.email ?? ''} is not told, and may ask again.`}
      confirmLabel="Delete"
      isDangerous
      busy={remove.isPending}
      onConfirm={() => request && remove.mutate(request)}
    />
  );
}
