import { RotateCcw, SkipBack, Trash2 } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { PracticeClock } from '../../../../platform/web/player/practice-clock.ts';
import { sentenceOf } from '../../../../platform/web/call.ts';
import { toast } from '../../../../platform/web/toasts.ts';
import { ConfirmDialog } from '../../../../platform/web/ui/alert-dialog.tsx';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { Notice } from '../../../../platform/web/ui/notice.tsx';
import type { MelodyDetail } from '../../contract.ts';
import { clear, replace, tap, undo } from '../../sung-text/tapping.ts';
import { useIsPlaying, useLitPlace } from './lit-place.ts';
import { LrcSection } from './lrc-section.tsx';
import { TapPad } from './tap-pad.tsx';
import { TimedRow } from './timed-row.tsx';
import { useTiming } from './use-timing.ts';

type TimingEditorProps = { melody: MelodyDetail; clock: PracticeClock; onDone: () => void };

/** Seconds of run-up before the line to be tapped. */
const RUN_UP = 4;

/** The teacher taps as each line begins, and corrects single times. */
export default function TimingEditor({ melody, clock, onDone }: TimingEditorProps) {
  const timing = useTiming(melody);
  const { lines, tapping, change, save, isUnsaved } = timing;
  const { passages, next } = tapping;
  const [openRow, setOpenRow] = useState<number | null>(null);
  const [asks, setAsks] = useState<'leave' | 'discard' | null>(null);
  const isPlaying = useIsPlaying(clock);
  const lit = passages[useLitPlace(clock, passages)]?.index ?? -1;

  const playForNext = () => {
    const before = passages.filter(({ index }) => index < next).at(-1);
    clock.playFrom(Math.max(0, (before?.start ?? 0) - (before ? RUN_UP : 0)));
  };
  const tapNow = () => (isPlaying ? change(tap(tapping, clock.now(), lines.length)) : playForNext());
  useKeys({ t: tapNow, u: () => change(undo(tapping)) });

  return (
    <section aria-label="Time the lines" data-timing className="measure">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 grow basis-72">
          <h3 className="text-xl">Time the lines</h3>
          <p className="mt-1 text-sm text-soft">
            Play the melody and tap as each line begins. You may slow it down: the times stay right.
          </p>
        </div>
        <Button onClick={() => (isUnsaved ? setAsks('leave') : onDone())}>Back to the words</Button>
      </div>

      {timing.isFromDraft && isUnsaved && (
        <Notice tone="amber" isQuiet title="Your unsaved times are here again" className="mt-4">
          They were kept on this device.{' '}
          <button type="button" className="link min-h-11" onClick={() => setAsks('discard')}>
            Discard them
          </button>
        </Notice>
      )}

      <div className="mt-4 flex flex-wrap gap-2">
        <Button icon={<SkipBack aria-hidden="true" />} onClick={() => clock.playFrom(0)}>
          Play from the start
        </Button>
        <Button
          icon={<RotateCcw aria-hidden="true" />}
          disabled={passages.length === 0}
          onClick={playForNext}
        >
          Play before the next line
        </Button>
        <Button
          icon={<Trash2 aria-hidden="true" />}
          isSpent={passages.length === 0}
          onClick={() => change(clear(tapping))}
        >
          Clear all times
        </Button>
      </div>

      {lines.length === 0 ? (
        <p className="mt-6 text-soft">
          This melody has no words yet. Add them to the melody, or bring them with an LRC file.
        </p>
      ) : (
        <ol className="mt-5 grid gap-1">
          {lines.map((line) => (
            <TimedRow
              key={line.index}
              line={line}
              place={passages.findIndex(({ index }) => index === line.index)}
              tapping={tapping}
              isNext={line.index === next}
              isLit={line.index === lit}
              isOpen={line.index === openRow}
              onOpen={(isOpen) => setOpenRow(isOpen ? line.index : null)}
              onChange={change}
              onHear={(start) => clock.playFrom(start)}
            />
          ))}
        </ol>
      )}

      <LrcSection
        title={melody.title}
        text={timing.text}
        mayReplaceText={timing.isWithoutText}
        lines={lines}
        passages={passages}
        onImport={(found, text) => change(replace(tapping, found), text)}
        onRefused={() => save.isSuccess && save.reset()}
      />

      <TapPad
        {...{ lines, tapping, isPlaying, isUnsaved }}
        isSaving={save.isPending}
        onTap={tapNow}
        onUndo={() => change(undo(tapping))}
        onSave={() => save.mutate(timing.given, { onSuccess: () => toast({ title: 'Timing saved' }) })}
      >
        {save.isError && (
          <Notice tone="danger" title="The timing could not be saved">
            {sentenceOf(save.error, 'Please try again.')} Every time is still here, and is kept on this
            device.
          </Notice>
        )}
        {save.isSuccess && !isUnsaved && (
          <p role="status" className="text-sm font-semibold text-jade-ink">
            Timing saved.
          </p>
        )}
      </TapPad>

      <ConfirmDialog
        isOpen={asks === 'leave'}
        onOpenChange={(isOpen) => !isOpen && setAsks(null)}
        sentence="Leave without saving the times?"
        note="They stay on this device, and will be here when you time this melody again."
        cancelLabel="Stay here"
        confirmLabel="Leave"
        onConfirm={onDone}
      />
      <ConfirmDialog
        isOpen={asks === 'discard'}
        onOpenChange={(isOpen) => !isOpen && setAsks(null)}
        sentence="Discard the unsaved times?"
        note="The times that were saved last are used again."
        confirmLabel="Discard"
        isDangerous
        onConfirm={() => {
          timing.discard();
          setAsks(null);
        }}
      />
    </section>
  );
}

/** Single-letter shortcuts, except while typing. */
function useKeys(actions: Record<string, () => void>) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
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
