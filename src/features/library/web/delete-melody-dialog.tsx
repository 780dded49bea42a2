import { useMutation } from '@tanstack/react-query';
import { callApi, CallError, getErrorMessage } from '#web/api/call.ts';
import { showFailureToast } from '#web/ui/toast-failure.ts';
import { toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import type { ListedMelody } from '#features/melodies/contract.ts';
import type { LibraryOutcome } from './outcome-notices.tsx';
import { updateCachedLibrary } from '#features/melodies/web/library-query.ts';

const FAILED = 'Failed to delete melody';

type DeleteMelodyDialogProps = {
  melody: ListedMelody;
  onClose: () => void;
  onOutcome: (outcome: LibraryOutcome) => void;
};

export function DeleteMelodyDialog({ melody, onClose, onOutcome }: DeleteMelodyDialogProps) {
  const removal = useMutation({
    async mutationFn() {
      try {
        await callApi('DELETE /api/melodies/{id}', { params: { id: melody.id } });
      } catch (error) {
        // Counts a missing melody as deleted. An earlier request may have deleted it although its response was
        // lost.
        if (!(error instanceof CallError && error.status === 404)) throw error;
      }
    },
    meta: { refreshes: ['/api/melodies', '/api/admin/transmission-levels'] },
    onSuccess: () => {
      updateCachedLibrary((melodies) => melodies.filter(({ id }) => id !== melody.id));
      toast({ title: 'Melody deleted' });
      onOutcome({ kind: 'deleted', melody });
      onClose();
    },
    onError: (error) => showFailureToast(FAILED, error),
  });
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !removal.isPending && onClose()}
      sentence={`Delete “${melody.title}”?`}
      note={
        removal.isError
          ? `${FAILED}. ${getErrorMessage(removal.error, 'Please try again.')}`
          : `${describeDeletion(melody)} Students’ recordings stay and keep their titles.`
      }
      confirmLabel="Delete"
      isDangerous
      busy={removal.isPending}
      onConfirm={() => removal.mutate()}
    />
  );
}

function describeDeletion({ textBytes, audioUrl, thumbnailUrl }: ListedMelody): string {
  const parts = [textBytes > 0 && 'words', audioUrl && 'audio', thumbnailUrl && 'picture'].filter(Boolean);
  if (parts.length === 0) return 'It can’t be recovered.';
  const last = parts.pop();
  const its = parts.length > 0 ? `${parts.join(', ')} and ${last}` : last;
  return `Its ${its} will be deleted too and can’t be recovered.`;
}
