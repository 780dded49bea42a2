import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useState } from 'react';
import { createApiQuery } from '#web/api/query-client.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { useWarningBeforeLeaving } from '#web/navigation/warning-before-leaving.ts';
import type { Level } from '#features/people/levels/contract.ts';
import type { ListedMelody, MelodyDetail } from '#features/melodies/contract.ts';
import { toListedMelody } from '#features/melodies/listed-melody.ts';
import type { LibraryOutcome } from './outcome-notices.tsx';
import { updateCachedLibrary } from '#features/melodies/web/library-query.ts';
import { MelodyForm } from '#features/melodies/web/melody-form.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { useMelodyForm } from '#features/melodies/web/use-melody-form.ts';

type EditMelodyDialogProps = {
  melody: ListedMelody;
  onClose: () => void;
  onOutcome: (outcome: LibraryOutcome) => void;
};

/** Full-screen form for a melody. Asks before discarding unsaved changes. */
export function EditMelodyDialog({ melody, onClose, onOutcome }: EditMelodyDialogProps) {
  const details = useQuery(createApiQuery('GET /api/melodies/{id}', { params: { id: melody.id } }));
  const levels = useQuery(createApiQuery('GET /api/admin/transmission-levels'));
  const [guard, setGuard] = useState<Guard>(UNGUARDED);
  const [isConfirming, setIsConfirming] = useState(false);
  // The form appears only with current data, because saving an edited stale text would overwrite the latest
  // change. Once the form has appeared, it stays even if its data becomes stale.
  const [isUpToDate, setIsUpToDate] = useState(false);
  if (!isUpToDate && !details.isStale) setIsUpToDate(true);
  const failed =
    details.isError && !isUpToDate ? details : levels.isError && !levels.data ? levels : undefined;
  const close = () => (guard.isChanged ? setIsConfirming(true) : onClose());
  return (
    <Dialog
      isOpen
      size="full"
      onOpenChange={close}
      title="Edit Melody"
      description={<span {...getLangProps(melody.title)}>{melody.title}</span>}
    >
      <div className="mx-auto max-w-[90rem] pb-10">
        {failed ? (
          <LoadFailure sentence="Couldn’t load the melody." of={[details, levels]} />
        ) : isUpToDate && details.data && levels.data ? (
          <Editor melody={details.data} levels={levels.data} onGuard={setGuard} {...{ onClose, onOutcome }} />
        ) : (
          <SkeletonList label="Loading the form..." count={5} className="measure" itemClassName="h-20" />
        )}
      </div>
      <ConfirmDialog
        isOpen={isConfirming}
        onOpenChange={setIsConfirming}
        sentence="Discard your changes?"
        note={
          guard.isSaving
            ? 'They’re being saved right now. If you discard them, saving stops.'
            : `“${melody.title}” will stay as it was.`
        }
        cancelLabel="Keep editing"
        confirmLabel="Discard"
        isDangerous
        onConfirm={() => {
          guard.discard();
          onClose();
        }}
      />
    </Dialog>
  );
}

type Guard = { isChanged: boolean; isSaving: boolean; discard: () => void };
const UNGUARDED: Guard = { isChanged: false, isSaving: false, discard: () => undefined };

type EditorProps = {
  melody: MelodyDetail;
  levels: readonly Level[];
  onGuard: (guard: Guard) => void;
  onClose: () => void;
  onOutcome: (outcome: LibraryOutcome) => void;
};

function Editor({ melody, levels, onGuard, onClose, onOutcome }: EditorProps) {
  const form = useMelodyForm(melody, (saved) => {
    const listed = toListedMelody(saved);
    updateCachedLibrary((melodies) => melodies.map((each) => (each.id === saved.id ? listed : each)));
    const isOtherAudio = saved.audioUrl !== melody.audioUrl;
    onOutcome({
      kind: 'updated',
      melody: saved,
      isApproximate: isOtherAudio && saved.seeksExactly === false,
    });
    onClose();
  });
  const { isChanged, reset, wouldLose } = form;
  const isSaving = form.save.isPending;
  useWarningBeforeLeaving(wouldLose);
  // Uses a layout effect, because it runs before the next key press. With a normal effect, Escape right after
  // the first letter would close the dialog without asking.
  useLayoutEffect(() => {
    onGuard({ isChanged: isChanged || isSaving, isSaving, discard: reset });
    // oxlint-disable-next-line react/exhaustive-deps -- `reset` does the same on every render
  }, [isChanged, isSaving, onGuard]);
  return (
    <>
      {form.wasRestored && isChanged && (
        <Notice tone="info" className="measure mb-6" title="Your unsaved changes are back.">
          You left before saving them.{' '}
          <Button className="mt-2 flex" onClick={reset}>
            Discard these changes
          </Button>
        </Notice>
      )}
      <MelodyForm form={form} levels={levels} melody={melody} />
    </>
  );
}
