import { clsx } from 'clsx';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { RotateCcw } from 'lucide-react';
import type { RecordingWriterProblem } from '../takes/recording-writer.ts';
import { useNavigationBlock } from '#web/navigation/use-navigation-block.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Button } from '#web/ui/button.tsx';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import type { SoundActivity } from '#web/audio-ui/sound-activity.ts';
import type { OpenRecordingWriter } from './recording-storage.ts';
import { type LiveRecording, toLiveRecording } from './live-recording.ts';
import { getSoundActivity, isRecordingInProgress } from './storing-recorder.ts';
import { getRecorderAnnouncement, notStoredMessages, getTakeAnnouncement } from './recorder-messages.ts';
import { getRecorderStartOptions } from './recorder-settings.ts';
import type { RecorderLayout } from './recorder-layout.ts';
import { RecorderControls } from './recorder-controls.tsx';
import { useRecorder } from './use-recorder.ts';
import { ChosenAudioPlayer } from '#web/audio-ui/upload/chosen-audio-player.tsx';
import { TakeWarningNotices } from './take-warning-notices.tsx';

type RecordPanelProps = {
  value: ChosenAudio | null;
  onChange: (value: ChosenAudio | null) => void;
  onActivityChange: (activity: SoundActivity) => void;
  storeRecording?: OpenRecordingWriter | undefined;
  layout?: RecorderLayout;
  /** Whether recording starts immediately, because the user opened the panel by pressing 'record'. */
  startsAtOnce?: boolean;
  /** Called when the recording in progress changes. */
  onLive?: ((live: LiveRecording) => void) | undefined;
  /** Whether the caller has its own Record Again button. */
  hasOwnRecordAgain?: boolean;
};

/** Shows the recorder until there is a take, and then the take. The caller stores the take. */
export function RecordPanel({
  value,
  onChange,
  onActivityChange,
  storeRecording,
  layout = 'large',
  startsAtOnce = false,
  onLive,
  hasOwnRecordAgain = false,
}: RecordPanelProps) {
  const [problem, setProblem] = useState<RecordingWriterProblem | null>(null);
  const recorder = useRecorder({ storeRecording, onActivityChange, onProblem: setProblem, onTake: onChange });
  const { take, start, reset } = recorder;
  const panel = useRef<HTMLDivElement>(null);
  const recorded = value?.origin === 'recorded' ? value : null;
  const isAgain = recorded?.isSetAside === true;
  const shown = isAgain ? null : recorded;
  const unkept = shown ? !shown.kept && shown.notKept : problem;

  useEffect(() => {
    if (startsAtOnce && value === null) start(getRecorderStartOptions());
    // Runs only when the panel opens, because only the press that opened it starts a recording.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  useEffect(() => {
    onLive?.(toLiveRecording(recorder));
    // `recorder` is a new object on every render, so only the fields that matter are listed.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [recorder.state, recorder.taking, recorder.seconds]);
  // Blocks navigation until the take has been stored and passed to the page.
  useNavigationBlock(getSoundActivity(recorder) !== null);
  useRestoreFocus(panel, shown !== null);

  return (
    <div
      ref={panel}
      className={clsx(
        'flex flex-col',
        layout === 'small' ? 'min-h-44' : shown ? 'pt-6' : stageClasses[layout],
      )}
    >
      {shown ? (
        <RecordedTake
          take={shown}
          onRecordAgain={hasOwnRecordAgain ? null : () => onChange({ ...shown, isSetAside: true })}
        />
      ) : (
        !take && (
          <RecorderControls recorder={recorder} layout={layout} isReplacing={value?.origin === 'uploaded'} />
        )
      )}
      {isAgain && !take && !isRecordingInProgress(recorder) && (
        <div className="mt-4 grid gap-2 text-center">
          <p className="text-sm text-soft">Your recording stays until you make a new one.</p>
          <Button
            onClick={() => {
              reset();
              onChange({ ...recorded, isSetAside: false });
            }}
          >
            Keep my recording
          </Button>
        </div>
      )}
      {unkept && (
        <p role="status" className="mt-3 text-sm font-semibold text-danger">
          {notStoredMessages[unkept]}
        </p>
      )}
      <ScreenReaderAnnouncement
        text={shown ? getTakeAnnouncement(shown.seconds ?? 0) : getRecorderAnnouncement(recorder)}
      />
    </div>
  );
}

const stageClasses = {
  large: 'min-h-[29rem] justify-center pt-6',
  bar: 'pt-4 lg:pt-6',
  low: 'pt-4 lg:min-h-[29rem] lg:justify-center lg:pt-6',
};

/** Restores focus when the pressed button disappears, by focusing the element that replaces it. */
function useRestoreFocus(panel: RefObject<HTMLElement | null>, hasTake: boolean) {
  const had = useRef(hasTake);
  useEffect(() => {
    if (had.current === hasTake) return;
    had.current = hasTake;
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (isLost)
      panel.current?.querySelector<HTMLElement>('[data-focus-first]')?.focus({ preventScroll: true });
  }, [panel, hasTake]);
}

type RecordedTakeProps = { take: ChosenAudio; onRecordAgain: (() => void) | null };

/** The take, with a player and a button to record again. */
function RecordedTake({ take, onRecordAgain }: RecordedTakeProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h2 tabIndex={-1} data-focus-first className="text-lg">
          Your recording
        </h2>
        <p className="text-sm text-soft">Listen to it before you send it.</p>
      </div>
      <TakeWarningNotices notes={take.notes} />
      <ChosenAudioPlayer audio={take} title="Your recording" />
      {onRecordAgain && (
        <Button icon={<RotateCcw />} onClick={onRecordAgain}>
          Record Again
        </Button>
      )}
    </div>
  );
}
