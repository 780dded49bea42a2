import { clsx } from 'clsx';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Take } from '../audio/recorder.ts';
import type { KeeperProblem } from '../takes/take-keeper.ts';
import { Announce } from '../ui/announce.tsx';
import { peaksText } from './bars.ts';
import type { ChosenAudio } from './chosen-audio.ts';
import { createKeeping, type KeepRecording } from './keep-recording.ts';
import { RecordedTake, type TakeNote } from './recorded-take.tsx';
import { announcement, notKept, takeAnnouncement } from './recorder-words.ts';
import { RecordingStage } from './recording-stage.tsx';
import { useRecorder } from './use-recorder.ts';

type RecordPanelProps = {
  value: ChosenAudio | null;
  onChange: (value: ChosenAudio | null) => void;
  onRecordingChange: (isRecording: boolean) => void;
  keepRecording?: KeepRecording | undefined;
  isSmall?: boolean;
  /** The press that brought it here was the press to record. */
  startsAtOnce?: boolean;
};

/** The recorder until there is a take, then the take. The take is handed to the caller at once and lives there. */
export function RecordPanel({
  value,
  onChange,
  onRecordingChange,
  keepRecording,
  isSmall = false,
  startsAtOnce = false,
}: RecordPanelProps) {
  const [keeping] = useState(createKeeping);
  const [problem, setProblem] = useState<KeeperProblem | null>(null);
  const recorder = useRecorder({ onBlock: keeping.onBlock });
  const { state, take, stoppedBecause, start, reset } = recorder;
  const [notes] = useState(() => new WeakMap<Blob, TakeNote>());
  const panel = useRef<HTMLDivElement>(null);
  const isRecording = state === 'asking' || state === 'recording' || state === 'paused';
  const recorded = value?.origin === 'recorded' ? value : null;

  useEffect(() => {
    if (startsAtOnce && value === null) start();
    // Only the press that opened the panel starts it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  useEffect(() => onRecordingChange(isRecording), [isRecording]); // eslint-disable-line react-hooks/exhaustive-deps
  useEffect(() => keeping.use(keepRecording, setProblem), [keeping, keepRecording]);
  useEffect(() => () => keeping.leave(), [keeping]);
  useEffect(() => {
    if (!take) return;
    notes.set(take.blob, noteOn(take, stoppedBecause));
    const facts = { seconds: take.seconds, peaks: peaksText(take.peaks) };
    let isHere = true;
    void keeping.finish(facts).then((kept) => {
      if (!isHere) return;
      onChange({ ...facts, ...kept, blob: take.blob, origin: 'recorded' });
      reset();
    });
    return () => {
      isHere = false;
    };
  }, [take]); // eslint-disable-line react-hooks/exhaustive-deps

  useFocusKept(panel, recorded !== null);

  return (
    <div
      ref={panel}
      className={clsx('flex flex-col', isSmall ? 'min-h-44' : 'min-h-[29rem] justify-center pt-6')}
    >
      {recorded ? (
        <RecordedTake
          take={recorded}
          note={notes.get(recorded.blob) ?? null}
          onRecordAgain={() => onChange(null)}
        />
      ) : (
        !take && <RecordingStage recorder={recorder} isSmall={isSmall} isReplacing={value !== null} />
      )}
      {problem && !recorded?.kept && (
        <p role="status" className="mt-3 text-sm font-semibold text-danger">
          {notKept[problem]}
        </p>
      )}
      <Announce text={recorded ? takeAnnouncement(recorded.seconds ?? 0) : announcement(recorder)} />
    </div>
  );
}

function noteOn(take: Take, stoppedBecause: string | null): TakeNote {
  if (take.peaks.every((peak) => peak === 0)) return 'silent';
  if (stoppedBecause === 'limit') return 'limit';
  return stoppedBecause === 'microphone-lost' ? 'microphone-lost' : null;
}

/** The button that was pressed goes away with the press; focus moves to what took its place. */
function useFocusKept(panel: RefObject<HTMLElement | null>, hasTake: boolean) {
  const had = useRef(hasTake);
  useEffect(() => {
    if (had.current === hasTake) return;
    had.current = hasTake;
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (isLost)
      panel.current?.querySelector<HTMLElement>('[data-focus-first]')?.focus({ preventScroll: true });
  }, [panel, hasTake]);
}
