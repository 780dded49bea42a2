import { useEffect } from 'react';
import { MarksByLineDialog } from '#features/feedback/common-difficulties/web/marks-by-line-dialog.tsx';
import type { ListedMelody } from '#features/melodies/contract.ts';
import { DeleteMelodyDialog } from './delete-melody-dialog.tsx';
import { EditMelodyDialog } from './edit-melody-dialog.tsx';
import { preloadOutcomeNotices } from './library-outcome.ts';
import type { LibraryOutcome } from './outcome-notices.tsx';

export type LibraryAction = { kind: 'edit' | 'delete' | 'marks'; melody: ListedMelody };

type LibraryActionDialogProps = {
  action: LibraryAction;
  onClose: () => void;
  onOutcome: (outcome: LibraryOutcome) => void;
};

/** Dialogs of the library that only the teacher needs, loaded on demand. */
export default function LibraryActionDialog({
  action: { kind, melody },
  ...handlers
}: LibraryActionDialogProps) {
  useEffect(() => void preloadOutcomeNotices(), []);
  if (kind === 'marks')
    return <MarksByLineDialog key={melody.id} melody={melody} onClose={handlers.onClose} />;
  const Asked = kind === 'edit' ? EditMelodyDialog : DeleteMelodyDialog;
  return <Asked key={melody.id} melody={melody} {...handlers} />;
}
