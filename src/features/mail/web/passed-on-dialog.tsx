import { ConfirmDialog } from '../../../platform/web/ui/alert-dialog.tsx';
import type { OutboxMail } from '../contract.ts';
import { useSettleMail } from './use-mail-change.ts';

type PassedOnDialogProps = {
  mail: OutboxMail;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

/** Confirms first, because the text is nowhere else. */
export function PassedOnDialog({ mail, isOpen, onOpenChange }: PassedOnDialogProps) {
  const settle = useSettleMail(mail.id, 'Passed on');
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      sentence="Have you passed this mail on?"
      note={
        <span className="wrap-anywhere">
          The text of the mail to {mail.recipient} is deleted, and nobody can see it again.
        </span>
      }
      confirmLabel="I have passed it on"
      cancelLabel="Not yet"
      busy={settle.isPending}
      onConfirm={() => settle.mutate(undefined, { onSettled: () => onOpenChange(false) })}
    />
  );
}
