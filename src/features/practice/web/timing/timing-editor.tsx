import { EllipsisVertical, FileText, RotateCcw, SkipBack, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useImperativeHandle, useState } from 'react';
import type { PracticePlayer } from '../engine/practice-player.ts';
import { explainError } from '#web/ui/sentences.ts';
import { dismissToastsOfPage, toast } from '#web/ui/toasts.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import {
  clearLineStarts,
  replaceLineStarts,
  tapLine,
  type TappingState,
  undoTappingStep,
} from '#features/lyrics/tapping.ts';
import { HeaderPanel, useCloseHeaderPanel } from '../header-panel.tsx';
import { LrcDialog } from '#features/lyrics/web/lrc-dialog.tsx';
import type { LrcOutcomeMessage } from '#features/lyrics/web/read-lrc.ts';
import { TimingDock } from './timing-dock.tsx';
import { TimingHeader } from './timing-header.tsx';
import { TimingLines } from './timing-lines.tsx';
import { useTimingDraft } from './use-timing-draft.ts';
import type { LyricsScale } from '#features/lyrics/web/lyrics-scale.ts';

export type TimingEditorProps = {
  melody: MelodyDetail;
  player: PracticePlayer;
  size: LyricsScale;
  /** Set by the editor to the function that returns to the words, so that Esc in the player can call it. */
  leave: RefObject<(() => void) | null>;
  onDone: () => void;
};

/**
 * Lead-in, in seconds: for tapping the next line, playback starts this long before the preceding timed line.
 */
const RUN_UP_SECONDS = 4;

/** Editor in which the teacher taps as each line begins, and corrects individual times. */
export default function TimingEditor({ melody, player, size, leave, onDone }: TimingEditorProps) {
  const { clock } = player;
  const timing = useTimingDraft(melody);
  const { lines, tapping, save, isUnsaved } = timing;
  const { passages, next } = tapping;
  const [openDialog, setOpenDialog] = useState<'leave' | 'discard' | 'lrc' | null>(null);
  const [importOutcome, setImportOutcome] = useState<LrcOutcomeMessage | null>(null);
  const close = () => setOpenDialog(null);

  const change = (to: TappingState) => {
    setImportOutcome(null);
    timing.change(to);
  };
  const playForNext = () => {
    const before = passages.filter(({ index }) => index < next).at(-1);
    clock.playFrom(Math.max(0, (before?.start ?? 0) - (before ? RUN_UP_SECONDS : 0)));
  };
  const tapNow = () =>
    clock.isPlaying() ? change(tapLine(tapping, clock.now(), lines.length)) : playForNext();
  const undoLast = () => change(undoTappingStep(tapping));
  const back = () => (isUnsaved ? setOpenDialog('leave') : onDone());
  useImperativeHandle(leave, () => back);
  useKeys({ t: tapNow, u: undoLast });

  return (
    <>
      <TimingHeader onBack={back}>
        <HeaderPanel
          label="Menu"
          title={melody.title}
          shown={<EllipsisVertical />}
          className="justify-self-end"
        >
          <MenuButtons
            isEmpty={passages.length === 0}
            onStart={() => clock.playFrom(0)}
            onBeforeNext={playForNext}
            onLrc={() => setOpenDialog('lrc')}
            onClear={() => change(clearLineStarts(tapping))}
          />
        </HeaderPanel>
      </TimingHeader>
      <div className="flex grow basis-0 flex-col beside:min-h-0 beside:flex-row">
        <div className="flex min-w-0 grow basis-0 flex-col">
          <div className="grid gap-2 px-3 empty:hidden sm:px-8 [&>*]:mx-auto [&>*]:my-1 [&>*]:w-full [&>*]:max-w-225">
            {timing.isFromDraft && isUnsaved && (
              <Notice tone="amber" isQuiet title="Your unfinished times are back">
                They’re on this device, but not in the melody yet.{' '}
                <button type="button" className="link min-h-11" onClick={() => setOpenDialog('discard')}>
                  Discard them
                </button>
              </Notice>
            )}
            {importOutcome && (
              <Notice tone={importOutcome.tone} title={importOutcome.title}>
                {importOutcome.rest}
              </Notice>
            )}
            {save.isError && (
              <Notice tone="danger" title="The times couldn’t be saved">
                {explainError(
                  save.error,
                  'Please try again.',
                  'Nothing was lost: all your times are still on this device.',
                )}
              </Notice>
            )}
            {save.isSuccess && !isUnsaved && (
              <p role="status" className="text-center text-sm font-semibold text-jade-ink">
                Timing saved.
              </p>
            )}
          </div>
          <TimingLines {...{ lines, tapping, clock, size }} onChange={change} />
        </div>
        <TimingDock
          {...{ player, tapping, isUnsaved }}
          total={lines.length}
          isSaving={save.isPending}
          onTap={tapNow}
          onUndo={undoLast}
          onSave={() => {
            setImportOutcome(null);
            save.mutate(timing.timesToSave, { onSuccess: () => toast({ title: 'Timing saved' }) });
          }}
        />
      </div>

      <LrcDialog
        isOpen={openDialog === 'lrc'}
        onClose={close}
        title={melody.title}
        text={timing.text}
        mayReplaceText={timing.isWithoutText}
        lines={lines}
        passages={passages}
        seconds={Math.ceil(clock.length()) || null}
        onImport={(found, text, outcome) => {
          timing.change(replaceLineStarts(tapping, found), text);
          setImportOutcome(outcome);
          close();
        }}
        // Removes success messages after a rejected import, because they would suggest that its times were
        // saved.
        onRefused={() => {
          if (save.isSuccess) save.reset();
          dismissToastsOfPage();
        }}
      />
      <ConfirmDialog
        isOpen={openDialog === 'leave'}
        onOpenChange={(isOpen) => !isOpen && close()}
        sentence="Leave without saving the times?"
        note="They stay on this device. You’ll find them here when you come back."
        cancelLabel="Stay here"
        confirmLabel="Leave"
        onConfirm={onDone}
      />
      <ConfirmDialog
        isOpen={openDialog === 'discard'}
        onOpenChange={(isOpen) => !isOpen && close()}
        sentence="Discard these times?"
        note="The melody keeps the times you last saved."
        confirmLabel="Discard"
        isDangerous
        onConfirm={() => {
          timing.discard();
          close();
        }}
      />
    </>
  );
}

type MenuButtonsProps = Record<'onStart' | 'onBeforeNext' | 'onLrc' | 'onClear', () => void> & {
  isEmpty: boolean;
};

function MenuButtons({ isEmpty, onStart, onBeforeNext, onLrc, onClear }: MenuButtonsProps) {
  const closePanel = useCloseHeaderPanel();
  const then = (act: () => void) => () => {
    closePanel();
    act();
  };
  return (
    <div className="grid gap-2">
      <Button icon={<SkipBack />} onClick={then(onStart)}>
        Play from the start
      </Button>
      <Button icon={<RotateCcw />} isInactive={isEmpty} onClick={then(onBeforeNext)}>
        Play just before the next line
      </Button>
      <Button icon={<FileText />} aria-haspopup="dialog" onClick={then(onLrc)}>
        Timing file (LRC)
      </Button>
      <Button icon={<Trash2 />} isInactive={isEmpty} onClick={then(onClear)}>
        Clear all times
      </Button>
    </div>
  );
}

/** Handles single-letter shortcuts, except while typing. */
function useKeys(actions: Record<string, () => void>) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isTyping =
      (event.target instanceof HTMLInputElement && event.target.type !== 'range') ||
      event.target instanceof HTMLTextAreaElement;
    const action = actions[event.key.toLowerCase()];
    if (!action || isTyping || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
