import { ConfirmDialog } from '../../ui/alert-dialog.tsx';

type ReplaceTakeDialogProps = { file: File | null; onKeep: () => void; onReplace: () => void };

/** A take that has not been sent exists nowhere else, so it does not go unasked. */
export function ReplaceTakeDialog({ file, onKeep, onReplace }: ReplaceTakeDialogProps) {
  return (
    <ConfirmDialog
      isOpen={file !== null}
      onOpenChange={(isOpen) => !isOpen && onKeep()}
      sentence="Use this file in place of your recording?"
      note="The recording you made has not been sent and would be gone."
      cancelLabel="Keep my recording"
      confirmLabel="Use the file"
      isDangerous
      onConfirm={onReplace}
    />
  );
}
