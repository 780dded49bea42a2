import * as RadixAlert from '@radix-ui/react-alert-dialog';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { actionRowClass } from './dialog.tsx';
import { useFocusReturn } from './use-focus-return.ts';

type ConfirmDialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** Only the question; anything else belongs in `note`. */
  sentence: string;
  /** Further text, such as what else is affected. */
  note?: ReactNode;
  /** Reason that the action failed; replaces the note. */
  failure?: string | null;
  confirmLabel: string;
  cancelLabel?: string;
  isDangerous?: boolean;
  busy?: boolean;
  /**
   * Called when the user confirms. The dialog stays open until the caller closes it, so that the user sees that
   * the action is in progress.
   */
  onConfirm: () => void;
};

/** Asks for confirmation; focus starts on 'Cancel'. */
export function ConfirmDialog({
  isOpen,
  onOpenChange,
  sentence,
  note,
  failure = null,
  confirmLabel,
  cancelLabel = 'Cancel',
  isDangerous = false,
  busy = false,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Frame
      {...{ isOpen, onOpenChange, sentence }}
      note={failure === null ? note : <span className="font-semibold text-danger">{failure}</span>}
    >
      <RadixAlert.Cancel asChild>
        <Button>{cancelLabel}</Button>
      </RadixAlert.Cancel>
      <Button variant={isDangerous ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
        {confirmLabel}
      </Button>
    </Frame>
  );
}

type MessageDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  /** Only the message; anything else belongs in `note`. */
  sentence: string;
  note?: ReactNode;
};

/** Shows a message until the user dismisses it. */
export function MessageDialog({ isOpen, onClose, sentence, note }: MessageDialogProps) {
  return (
    <Frame isOpen={isOpen} onOpenChange={(open) => !open && onClose()} sentence={sentence} note={note}>
      <RadixAlert.Cancel asChild>
        <Button variant="primary">OK</Button>
      </RadixAlert.Cancel>
    </Frame>
  );
}

type FrameProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  sentence: string;
  note?: ReactNode;
  children: ReactNode;
};

function Frame({ isOpen, onOpenChange, sentence, note, children }: FrameProps) {
  const focusReturn = useFocusReturn();
  // Keeps the text while the dialog closes, because the caller may have cleared it already.
  const [shown, setShown] = useState({ sentence, note });
  if (isOpen && (shown.sentence !== sentence || shown.note !== note)) setShown({ sentence, note });
  return (
    <RadixAlert.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className="fixed inset-0 z-50 bg-scrim" />
        <RadixAlert.Content
          {...focusReturn}
          {...(shown.note ? {} : { 'aria-describedby': undefined })}
          className="fixed inset-x-3 top-1/2 z-50 mx-auto max-h-[calc(100dvh-1.5rem)] max-w-lg -translate-y-1/2 overflow-y-auto rounded-lg border border-line bg-surface text-ink shadow-soft"
        >
          <div className="p-5 sm:p-6">
            <RadixAlert.Title className="text-lg">{shown.sentence}</RadixAlert.Title>
            {shown.note && (
              <RadixAlert.Description className="mt-2 text-soft">{shown.note}</RadixAlert.Description>
            )}
          </div>
          <div className={actionRowClass}>{children}</div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
