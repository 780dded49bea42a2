import { useMutation } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import type { ManagedLevel } from '../contract.ts';
import { failed, type LevelOutcome, refreshedByLevels, succeeded } from './level-outcome.ts';

type DeleteLevelDialogProps = {
  level: ManagedLevel | null;
  onClose: () => void;
  onOutcome: (outcome: LevelOutcome) => void;
};

export function DeleteLevelDialog({ level, onClose, onOutcome }: DeleteLevelDialogProps) {
  const remove = useMutation({
    mutationFn: ({ id }: ManagedLevel) =>
      call('DELETE /api/admin/transmission-levels/{id}', { params: { id } }),
    meta: { refreshes: refreshedByLevels },
    onSuccess: (_answer, { name }) => onOutcome(succeeded('Level deleted', name)),
    onError: (error) => onOutcome(failed('Failed to delete level', error)),
    onSettled: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={level !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      sentence={`Delete the level ${level?.name ?? ''}?`}
      note="No melody uses it. Whoever was granted it is granted it no longer."
      confirmLabel="Delete"
      isDangerous
      busy={remove.isPending}
      onConfirm={() => level && remove.mutate(level)}
    />
  );
}
