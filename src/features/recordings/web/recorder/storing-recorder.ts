import {
  createRecorder,
  type RecorderOptions,
  type RecorderSnapshot,
  type Take,
} from '#web/audio/recorder.ts';
import { cacheAppShell } from '#web/offline/cache-app-shell.ts';
import type { RecordingWriterProblem } from '../takes/recording-writer.ts';
import { encodePeaks } from '#web/audio-ui/playback/bars.ts';
import type { SoundActivity } from '#web/audio-ui/sound-activity.ts';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { createRecordingStorage, type OpenRecordingWriter } from './recording-storage.ts';
import { getTakeWarnings } from './take-warnings.ts';

/** Callbacks of the recorder. Only the callbacks that were last passed to `setHandlers` are called. */
export type StoringRecorderHandlers = {
  /** Stores a recording on the device. A function set during a recording applies to the next recording. */
  storeRecording: OpenRecordingWriter | undefined;
  onProblem: (problem: RecordingWriterProblem) => void;
  onActivityChange: (activity: SoundActivity) => void;
  /** Called when a take is complete. The take is stored on the device if that was possible. */
  onTake: (audio: ChosenAudio) => void;
  /** Called when the user has left the recorder and the device could not store the recording. */
  onLeft?: (audio: ChosenAudio) => void;
};

/** A side effect of a change in the recorder's state. */
type Command = 'keep-shell' | 'missed-in-background' | 'missed-while-held' | 'hand-over';

/**
 * Creates a recorder whose audio is stored on the device from the first block. The recorder lives as long as
 * it has a subscriber. Unsubscribing releases the microphone. Audio recorded before that stays on the device
 * or, if it could not be stored, is passed to `onLeft`.
 */
export function createStoringRecorder(options: Pick<RecorderOptions, 'environment'> = {}) {
  const keeping = createRecordingStorage();
  const create = () => createRecorder({ ...options, onBlock: keeping.onBlock });
  let recorder = create();
  let isDestroyed = false;
  let seen = recorder.get();
  let handlers: StoringRecorderHandlers | null = null;
  let reportedActivity: SoundActivity | 'nothing yet' = 'nothing yet';

  function onChange(): void {
    const before = seen;
    seen = recorder.get();
    for (const command of getRecorderCommands(before, seen)) {
      if (command === 'keep-shell') cacheAppShell();
      else if (command === 'hand-over') void handOver(seen.take!, seen);
      else keeping.addNote(command);
    }
    reportActivity();
  }

  function reportActivity(): void {
    const activity = getSoundActivity(seen);
    if (activity === reportedActivity) return;
    reportedActivity = activity;
    handlers?.onActivityChange(activity);
  }

  async function handOver(take: Take, snapshot: RecorderSnapshot): Promise<void> {
    const facts = toTakeFacts(take, snapshot);
    const audio: ChosenAudio = { ...facts, ...(await keeping.finish(facts)), ...toSound(take) };
    if (recorder.get().take === take) {
      handlers?.onTake(audio);
      recorder.reset();
      // If the user has left in the meantime, passes on only a take that could not be stored. A stored take is
      // offered again later.
    } else if (!audio.kept) handlers?.onLeft?.(audio);
  }

  async function leave(snapshot: RecorderSnapshot, cutOff: Take | null): Promise<void> {
    const unkept = await keeping.abandon(cutOff !== null && handlers?.onLeft !== undefined);
    if (unkept && cutOff)
      handlers?.onLeft?.({ ...toTakeFacts(cutOff, snapshot), ...unkept, ...toSound(cutOff) });
  }

  return {
    setHandlers(latest: StoringRecorderHandlers): void {
      handlers = latest;
      keeping.setOpenWriter(latest.storeRecording, latest.onProblem);
    },

    /**
     * Subscribes to the recorder. React may unsubscribe and resubscribe a component that stays mounted
     * (StrictMode always does so once). The component then gets a new recorder.
     */
    subscribe(listener: () => void): () => void {
      if (isDestroyed) recorder = create();
      isDestroyed = false;
      seen = recorder.get();
      reportedActivity = 'nothing yet';
      recorder.subscribe(onChange);
      recorder.subscribe(listener);
      reportActivity();
      return () => {
        isDestroyed = true;
        void leave(recorder.get(), recorder.destroy());
      };
    },

    get: () => recorder.get(),
    start: (...how: Parameters<typeof recorder.start>) => recorder.start(...how),
    pause: () => recorder.pause(),
    resume: () => recorder.resume(),
    stop: () => recorder.stop(),
    reset() {
      recorder.reset();
      keeping.discard();
    },
  };
}

const toTakeFacts = (take: Take, snapshot: RecorderSnapshot) => ({
  seconds: take.seconds,
  peaks: encodePeaks(take.peaks),
  notes: getTakeWarnings(take, snapshot),
});

const toSound = ({ blob }: Take) => ({ blob, origin: 'recorded' }) as const;

/**
 * Returns the current activity. After recording, it is 'ending' until the take has been stored and passed to
 * the page, so that the page does not report a missing recording in between.
 */
export function getSoundActivity(snapshot: RecorderSnapshot): SoundActivity {
  if (snapshot.stopping || snapshot.take !== null) return 'ending';
  return isRecordingInProgress(snapshot) ? 'recording' : null;
}

/** Returns whether a recording is in progress, from the moment that the user presses Record. */
export const isRecordingInProgress = ({ state }: Pick<RecorderSnapshot, 'state'>) =>
  state === 'asking' || state === 'counting' || state === 'recording' || state === 'paused';

/** Returns the commands to run after a change of state, in order. */
export function getRecorderCommands(before: RecorderSnapshot, now: RecorderSnapshot): readonly Command[] {
  const commands: Command[] = [];
  // Caches the page, because the recording may have to be sent after the page is reloaded offline.
  if (isRecordingInProgress(now) && !isRecordingInProgress(before)) commands.push('keep-shell');
  // Stores a warning about missing audio immediately, because a phone that suspends a page in the background
  // may close it next.
  if (isRecordingInProgress(now) && now.missedInBackground && !before.missedInBackground)
    commands.push('missed-in-background');
  if (isRecordingInProgress(now) && now.missedWhileHeld && !before.missedWhileHeld)
    commands.push('missed-while-held');
  if (now.take !== null && now.take !== before.take) commands.push('hand-over');
  return commands;
}
