import type { CaptureMessage } from './capture.ts';
import { getMeterLevel } from './meter-level.ts';
import { createLoudnessMeter } from './loudness.ts';
import type { LoudnessRating } from './loudness.ts';
import { createStallDetector } from './stall-detector.ts';
import type { StallDetector } from './stall-detector.ts';
import { MicrophoneError, openMicrophone } from './microphone.ts';
import type { Microphone, MicrophoneProblem } from './microphone.ts';
import { computePeaks } from './peaks.ts';
import { exclusivePlayback } from './exclusive-playback.ts';
import { getRecorderEnvironment } from './recorder-environment.ts';
import type { RecorderEnvironment } from './recorder-environment.ts';
import {
  MAX_RECORDING_SECONDS,
  RECORDING_SAMPLE_RATE,
  RECORDING_END_WARNING_SECONDS,
} from './recording-format.ts';
import { createResourceScope } from '../api/resource-scope.ts';
import type { ResourceScope } from '../api/resource-scope.ts';
import { createStore, type ReadableStore } from '../store.ts';
import { acquireWakeLock } from './wake-lock.ts';
import { encodeWav } from './wav.ts';

export type RecorderState = 'idle' | 'asking' | 'counting' | 'recording' | 'paused' | 'recorded' | 'failed';

/** State of a recording at one moment. Immutable: each change creates a new snapshot. */
export type RecorderSnapshot = {
  readonly state: RecorderState;
  /** Length of the recording so far, from the number of frames. Time without incoming sound does not count. */
  readonly seconds: number;
  readonly secondsLeft: number;
  /** Whether at most 10 seconds are left, while recording or paused. */
  readonly nearEnd: boolean;
  /**
   * Loudness of the latest 128 ms for a meter, 0 to 1 (−50 dB to full scale); 0 while nothing is being
   * recorded.
   */
  readonly level: number;
  /** Whether the system or a switch has muted the microphone. If so, nothing is recorded. */
  readonly muted: boolean;
  /**
   * Whether the system has suspended all audio, for example during a call. If so, nothing is recorded, and
   * `resume()` tries to end the interruption.
   */
  readonly interrupted: boolean;
  /**
   * Whether sound has stopped arriving without a reported reason. Either the page was suspended, or the device
   * is overloaded.
   */
  readonly stalled: boolean;
  /** Whether sound was lost while the page was in the background. */
  readonly missedInBackground: boolean;
  /**
   * Whether sound was lost during the recording because the microphone was muted or the system suspended all
   * audio, for example for a phone call.
   */
  readonly missedWhileHeld: boolean;
  /** Seconds left of the count-in (3, 2, 1); null if none is running. */
  readonly count: null | number;
  /**
   * Whether sound is being recorded right now: in state 'recording', and neither muted, interrupted nor
   * stalled.
   */
  readonly taking: boolean;
  /** Whether the recording has been stopped, but the rest of its audio has yet to arrive. */
  readonly stopping: boolean;
  readonly stoppedBecause: null | 'asked' | 'limit' | 'microphone-lost';
  readonly problem: null | MicrophoneProblem;
  readonly take: null | Take;
};

/** A finished recording. `peaks` are 200 bytes for a waveform; see `computePeaks`. */
export type Take = {
  readonly blob: Blob;
  readonly seconds: number;
  readonly peaks: Uint8Array<ArrayBuffer>;
  readonly loudness: LoudnessRating;
};

export type RecorderStartOptions = {
  /** Echo cancellation, noise suppression and gain control. Off by default: they are made for speech. */
  processing?: boolean;
  /** Seconds to count down before recording. Frame 0 is the end of the countdown. */
  countIn?: number;
};

export type RecorderOptions = {
  maxSeconds?: number;
  /**
   * Called with each block (16-bit mono, 32 kHz), numbered from 0 in each recording. Do not change or transfer
   * the samples.
   */
  onBlock?: (samples: Int16Array<ArrayBuffer>, index: number) => void;
  environment?: RecorderEnvironment;
};

export type Recorder = ReadableStore<RecorderSnapshot> & {
  /**
   * Pauses all players, requests the microphone and records. Does nothing unless idle or failed: to replace a
   * take, call `reset()` first.
   */
  start(options?: RecorderStartOptions): void;
  pause(): void;
  /** Continues after `pause()`; while interrupted, tries to get the sound back. */
  resume(): void;
  /**
   * Ends the recording and creates the take. Returns to idle if the microphone is still being requested, if the
   * count-in is running, or if no sound has arrived.
   */
  stop(): void;
  /** Discards everything, releases the microphone and returns to idle. */
  reset(): void;
  /**
   * Like `reset()`, but final: the recorder can't be started again, and its listeners are no longer called.
   * @returns the take so far; null if no recording was in progress or no sound had arrived
   */
  destroy(): Take | null;
};

/**
 * Time to wait for the audio thread's last block after stopping. If the audio context is suspended, the block
 * never comes.
 */
const FLUSH_TIMEOUT_MS = 1_000;

/** Creates a recorder for one take at a time. Before `start()` it does nothing and holds no resources. */
export function createRecorder(options: RecorderOptions = {}): Recorder {
  const { maxSeconds = MAX_RECORDING_SECONDS, onBlock } = options;
  const idle = createIdleSnapshot(maxSeconds);
  const snapshot = createStore(idle);
  let session: Session | null = null;
  let destroyed = false;

  function change(part: Partial<RecorderSnapshot>): void {
    const next = deriveFields({ ...snapshot.get(), ...part }, maxSeconds);
    if (!isSameSnapshot(next, snapshot.get())) snapshot.set(next);
  }

  function start({ processing = false, countIn = 0 }: RecorderStartOptions = {}): void {
    if (destroyed || (snapshot.get().state !== 'idle' && snapshot.get().state !== 'failed')) return;
    exclusivePlayback.pauseAll();
    const environment = options.environment ?? getRecorderEnvironment();
    session = {
      scope: createResourceScope(),
      microphone: null,
      flow: null,
      blocks: [],
      loudness: createLoudnessMeter(),
      frames: 0,
      held: countIn > 0,
      stopping: null,
    };
    change({ ...idle, state: 'asking' });
    void open(session, environment, processing, countIn);
  }

  async function open(
    opened: Session,
    environment: RecorderEnvironment,
    processing: boolean,
    countIn: number,
  ): Promise<void> {
    const how = {
      maxFrames: Math.round(maxSeconds * RECORDING_SAMPLE_RATE),
      processing,
      startsPaused: countIn > 0,
    };
    try {
      const microphone = await openMicrophone(environment, how, opened.scope, {
        onMessage: (message) => receive(opened, message),
        onInterruption: (hindrance) => {
          const isHeld = hindrance.muted || hindrance.interrupted;
          const misses = isHeld && snapshot.get().state === 'recording' && opened.frames > 0;
          change({ ...hindrance, level: 0, ...(misses && { missedWhileHeld: true }) });
          pauseOrContinue(opened);
        },
        onLost: () => end(opened, 'microphone-lost'),
        onBroken: () => (opened.frames > 0 ? finish(opened, 'microphone-lost') : fail('worklet')),
      });
      if (!microphone || opened.scope.ended) return;
      opened.microphone = microphone;
      acquireWakeLock(environment, opened.scope);
      count(opened, environment, countIn);
    } catch (error) {
      if (!opened.scope.ended) fail(error instanceof MicrophoneError ? error.problem : 'unsupported');
    }
  }

  function count(counting: Session, environment: RecorderEnvironment, left: number): void {
    if (counting.stopping) return;
    if (left > 0) {
      change({ state: 'counting', count: left });
      counting.scope.after(1_000, () => count(counting, environment, left - 1));
      return;
    }
    change({ state: 'recording', count: null });
    pauseOrContinue(counting);
    counting.flow = createStallDetector(environment.document, counting.scope, {
      isWanted: () => snapshot.get().state === 'recording',
      frames: () => counting.frames,
      onStall: (stalled) => change({ stalled, ...(stalled && { level: 0 }) }),
      onMissed: () => change({ missedInBackground: true }),
    });
  }

  function receive(from: Session, message: CaptureMessage): void {
    if (message.type === 'end') {
      finish(from, from.stopping ?? 'limit');
      return;
    }
    from.blocks.push(message.samples);
    from.frames += message.samples.length;
    from.loudness.add(message.samples);
    from.flow?.recordArrival();
    change({
      seconds: from.frames / RECORDING_SAMPLE_RATE,
      level: snapshot.get().taking ? getMeterLevel(message.peak) : 0,
    });
    onBlock?.(message.samples, from.blocks.length - 1);
  }

  /**
   * Pauses or resumes the capture to match the snapshot. Ignores interruptions, because the system then stops
   * the audio thread anyway.
   */
  function pauseOrContinue(current: Session): void {
    const held =
      snapshot.get().state === 'counting' || snapshot.get().state === 'paused' || snapshot.get().muted;
    if (!current.microphone || current.held === held) return;
    current.held = held;
    current.microphone.command(held ? 'pause' : 'resume');
  }

  function end(ending: Session, because: StopReason): void {
    if (ending.stopping) return;
    ending.stopping = because;
    change({ stopping: true });
    ending.microphone?.command('flush');
    ending.scope.after(FLUSH_TIMEOUT_MS, () => finish(ending, because));
  }

  function finish(finished: Session, stoppedBecause: StopReason): void {
    finished.flow?.checkArrival();
    finished.scope.end();
    session = null;
    const take = toTake(finished);
    if (take === null) {
      if (stoppedBecause === 'microphone-lost') fail('no-microphone');
      else change(idle);
      return;
    }
    const { missedInBackground, missedWhileHeld } = snapshot.get();
    const missed = { missedInBackground, missedWhileHeld };
    change({ ...idle, state: 'recorded', seconds: take.seconds, stoppedBecause, ...missed, take });
  }

  function fail(problem: MicrophoneProblem): void {
    release();
    change({ ...idle, state: 'failed', problem });
  }

  function release(): void {
    session?.scope.end();
    session = null;
  }

  return {
    subscribe: snapshot.subscribe,
    get: snapshot.get,
    start,
    pause() {
      if (!session || session.stopping || snapshot.get().state !== 'recording') return;
      session.flow?.checkArrival();
      change({ state: 'paused', level: 0 });
      pauseOrContinue(session);
    },
    resume() {
      if (!session || session.stopping) return;
      session.microphone?.wake();
      if (snapshot.get().state !== 'paused') return;
      change({ state: 'recording' });
      pauseOrContinue(session);
      session.flow?.recordArrival();
    },
    stop() {
      if (!session) return;
      if (session.microphone && snapshot.get().state !== 'counting') end(session, 'asked');
      else finish(session, 'asked');
    },
    reset() {
      if (destroyed) return;
      release();
      change(idle);
    },
    destroy() {
      destroyed = true;
      snapshot.clear();
      const cutOff = session && toTake(session);
      release();
      snapshot.set(idle);
      return cutOff;
    },
  };
}

type StopReason = NonNullable<RecorderSnapshot['stoppedBecause']>;

/** One recording, from `start()` to its end. `scope` owns all resources opened in between. */
type Session = {
  readonly scope: ResourceScope;
  microphone: Microphone | null;
  flow: StallDetector | null;
  readonly blocks: Int16Array<ArrayBuffer>[];
  readonly loudness: ReturnType<typeof createLoudnessMeter>;
  frames: number;
  held: boolean;
  stopping: StopReason | null;
};

/** Returns the take, or null if no sound has arrived. */
const toTake = ({ blocks, frames, loudness }: Session): Take | null =>
  frames === 0
    ? null
    : {
        blob: encodeWav(blocks),
        seconds: frames / RECORDING_SAMPLE_RATE,
        peaks: computePeaks(blocks),
        loudness: loudness.judge(),
      };

function createIdleSnapshot(maxSeconds: number): RecorderSnapshot {
  return {
    state: 'idle',
    seconds: 0,
    secondsLeft: maxSeconds,
    nearEnd: false,
    level: 0,
    muted: false,
    interrupted: false,
    stalled: false,
    missedInBackground: false,
    missedWhileHeld: false,
    count: null,
    taking: false,
    stopping: false,
    stoppedBecause: null,
    problem: null,
    take: null,
  };
}

function deriveFields(snapshot: RecorderSnapshot, maxSeconds: number): RecorderSnapshot {
  const { state, muted, interrupted, stalled } = snapshot;
  const secondsLeft = Math.max(0, maxSeconds - snapshot.seconds);
  return {
    ...snapshot,
    secondsLeft,
    nearEnd: (state === 'recording' || state === 'paused') && secondsLeft <= RECORDING_END_WARNING_SECONDS,
    taking: state === 'recording' && !muted && !interrupted && !stalled,
  };
}

function isSameSnapshot(one: RecorderSnapshot, other: RecorderSnapshot): boolean {
  return (Object.keys(one) as (keyof RecorderSnapshot)[]).every((key) => one[key] === other[key]);
}
