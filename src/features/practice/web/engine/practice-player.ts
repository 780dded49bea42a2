import type { PlayableMedia } from '#web/audio/exclusive-playback.ts';
import { createResourceScope } from '#web/api/resource-scope.ts';
import { createEventEmitter } from '#web/store.ts';
import { createLoopTimer } from './loop-timer.ts';
import type { PlayerAudio, PlayerEnvironment } from './player-environment.ts';
import {
  type PlayerCommand,
  createPlayerState,
  type PlayerEvent,
  type PlayerState,
  reducePlayer,
  type SoundState,
  getRemainingStudentTurnSeconds,
  getStudentTurnSeconds,
} from './player-reducer.ts';
import type { PracticeSettings } from './practice-settings.ts';
import type { PracticeTransport } from '#web/audio/practice-transport.ts';
import { createResilientAudio, type ResilientAudio } from './resilient-audio.ts';

/**
 * 'gap' is the student's turn. 'lost' means that the connection is lost: playback resumes when it is back, and
 * the user can retry before that. 'unavailable' and 'damaged' can't be retried. After a pause, the phase is
 * 'still' even if the connection is lost, and the next play retries.
 */
export type PlayerPhase = 'still' | 'loading' | 'playing' | 'gap' | 'lost' | 'unavailable' | 'damaged';

export type PlayerSnapshot = PracticeSettings &
  Pick<PlayerState, 'round' | 'isDone' | 'clearedLoop'> & {
    readonly phase: PlayerPhase;
    /**
     * Whether something other than the user paused playback, such as a call or unplugged headphones. Reset when
     * the user plays, pauses or changes the loop.
     */
    readonly isInterrupted: boolean;
    /** Whether the user has been waiting for the connection for several seconds. */
    readonly isSlow: boolean;
    /** Duration of the melody, in seconds. */
    readonly length: number;
    /** False on iOS, where only the device's buttons change the volume. */
    readonly canSetVolume: boolean;
  };

export type PracticePlayer = ReturnType<typeof createPracticePlayer>;

type PracticePlayerOptions = {
  address: string;
  /** Duration measured by the server, in whole seconds; null if unknown. */
  duration: number | null;
  practice: PracticeSettings;
  environment: PlayerEnvironment;
};

/**
 * Plays one melody for practice, and pauses all other playback. The reducer makes all decisions: the player
 * passes events to it and applies its commands to the audio and the timers. Fetches nothing before the first
 * `play`. Owns the element until `end`.
 */
export function createPracticePlayer(element: PlayerAudio, options: PracticePlayerOptions) {
  const { address, duration, practice, environment } = options;
  const { clock } = environment;
  const scope = createResourceScope();
  const changes = createEventEmitter();
  const ticks = createEventEmitter();
  let state = createPlayerState(practice, duration);
  const eventQueue: PlayerEvent[] = [];
  let isReducing = false;

  environment.exclusivePlayback.pauseAll();
  const audio = createResilientAudio(element, {
    ...{ address, duration, environment, rate: state.rate, volume: state.volume },
    onEvent: (type) => send({ type }),
    onChange: notifyChange,
    onTime() {
      loopTimer.schedule();
      ticks.notify();
    },
  });
  scope.own(audio.end);
  const playing = joinExclusivePlayback(environment.exclusivePlayback, {
    isOn: () => state.activity.kind !== 'still',
    pause: () => send({ type: 'pause' }),
  });
  scope.own(playing.leave);
  const loopTimer = createLoopTimer({
    clock,
    position: audio.position,
    end: () => (state.loop.kind === 'active' && audio.isAdvancing() ? state.loop.b : null),
    rate: () => state.rate,
    onEnd: () => send({ type: 'passage-ended' }),
  });
  scope.own(loopTimer.stop);
  let cancelTurn = () => {};
  scope.own(() => {
    cancelTurn();
    changes.clear();
    ticks.clear();
  });
  if (state.loop.kind === 'active') audio.seek(state.loop.a);
  let snapshot = createSnapshot(state, audio);

  /**
   * Passes an event to the reducer and runs the resulting commands. Queues events that the element fires during
   * these commands, because only one event can be handled at a time.
   */
  function send(event: PlayerEvent): void {
    if (scope.ended) return;
    eventQueue.push(event);
    if (isReducing) return;
    isReducing = true;
    try {
      for (let next = eventQueue.shift(); next; next = eventQueue.shift()) {
        const { state: after, commands } = reducePlayer(state, next, readSound());
        state = after;
        commands.forEach(runCommand);
      }
    } finally {
      isReducing = false;
    }
    notifyChange();
  }

  function runCommand(command: PlayerCommand): void {
    if (command.type === 'seek') return audio.seek(command.to);
    if (command.type === 'set-rate') return audio.setRate(command.to);
    if (command.type === 'set-volume') return audio.setVolume(command.to);
    if (command.type === 'pause') return audio.pause();
    playing.begin();
    audio[command.type]();
  }

  function notifyChange(): void {
    if (scope.ended || isReducing) return;
    loopTimer.schedule();
    scheduleTurnEnd();
    const next = createSnapshot(state, audio);
    if (!isSame(snapshot, next)) snapshot = next;
    changes.notify();
  }

  function scheduleTurnEnd(): void {
    cancelTurn();
    if (state.activity.kind !== 'turn') return;
    cancelTurn = clock.after(getRemainingStudentTurnSeconds(state, clock.now()) * 1000, () =>
      send({ type: 'turn-ended' }),
    );
  }

  const readSound = (): SoundState => ({
    position: audio.position(),
    length: audio.length(),
    hasEnded: audio.hasEnded(),
    failure: audio.failure(),
    now: clock.now(),
  });

  const createAction = (type: SimpleEventType) => () => send({ type });
  const createActionTo = (type: PositionEventType) => (to: number) => send({ type, to });

  const practiceClock: PracticeTransport = {
    now: audio.position,
    isPlaying: audio.isAdvancing,
    isOn: () => state.activity.kind !== 'still',
    rate: () => state.rate,
    length: audio.length,
    loop: () => (state.loop.kind === 'active' ? state.loop : null),
    subscribe: changes.subscribe,
    seek: createActionTo('seek'),
    playFrom: createActionTo('play-from'),
    playLine: createActionTo('play-line'),
    playPassage: (a, b) => send({ type: 'play-passage', a, b }),
    setLoop: (a, b) => send({ type: 'set-loop', a, b }),
    clearLoop: createAction('clear-loop'),
  };

  return {
    clock: practiceClock,
    snapshot: () => snapshot,
    subscribe: changes.subscribe,
    /** Subscribes to changes and to the position, which is reported about four times a second. */
    subscribeToTime(listener: () => void) {
      const leaveBoth = [changes.subscribe(listener), ticks.subscribe(listener)];
      return () => leaveBoth.forEach((leave) => leave());
    },
    position: audio.position,
    /** Returns the seconds left of the student's turn, and its full duration. */
    turn: () => ({
      left: getRemainingStudentTurnSeconds(state, clock.now()),
      length: getStudentTurnSeconds(state),
    }),
    play: createAction('play'),
    pause: createAction('pause'),
    toggle: () => send({ type: isPlaybackOn(getPhase(state, audio)) ? 'pause' : 'play' }),
    stop: createAction('stop'),
    restart: createAction('restart'),
    seek: createActionTo('seek'),
    retry: createAction('retry'),
    setA: createAction('set-a'),
    /** Sets B at the current position and goes to A. Returns false if no A is set before that position. */
    setB(): boolean {
      const { loop } = state;
      send({ type: 'set-b' });
      return state.loop !== loop;
    },
    clearLoop: createAction('clear-loop'),
    /** Goes to a position, and clears a loop that does not contain it. */
    goTo: createActionTo('go-to'),
    loopAgain: createAction('loop-again'),
    moveA: createActionTo('move-a'),
    moveB: createActionTo('move-b'),
    setRate: createActionTo('set-rate'),
    setVolume: createActionTo('set-volume'),
    setRepeats: (to: number | null) => send({ type: 'set-repeats', to }),
    setGap: createActionTo('set-gap'),
    /** Stops playback and releases the element. The player can't be used afterwards. */
    end: scope.end,
  };
}

/** Returns whether a press of the play button would pause. */
export const isPlaybackOn = (phase: PlayerPhase) =>
  phase === 'playing' || phase === 'loading' || phase === 'gap';

/** Returns whether the melody can't play, however often the user presses Play. */
export const isPermanentFailure = (phase: PlayerPhase) => phase === 'unavailable' || phase === 'damaged';

type PositionEventType = Extract<PlayerEvent, { readonly to: number }>['type'];
type SimpleEventType = Exclude<PlayerEvent, { readonly to: unknown } | { readonly a: number }>['type'];

function getPhase({ activity }: PlayerState, audio: ResilientAudio): PlayerPhase {
  const failure = audio.failure();
  if (failure === 'unavailable' || failure === 'damaged') return failure;
  if (activity.kind === 'turn') return 'gap';
  if (activity.kind === 'still') return 'still';
  if (failure === 'lost') return failure;
  return audio.isWaiting() || failure === 'checking' ? 'loading' : 'playing';
}

function createSnapshot(state: PlayerState, audio: ResilientAudio): PlayerSnapshot {
  const { activity: _, duration: __, ...shown } = state;
  return {
    ...shown,
    phase: getPhase(state, audio),
    isInterrupted: state.activity.kind === 'still' && state.activity.isInterrupted === true,
    isSlow: audio.isSlow(),
    length: audio.length(),
    canSetVolume: audio.canSetVolume,
  };
}

const isSame = (a: PlayerSnapshot, b: PlayerSnapshot) =>
  (Object.keys(a) as (keyof PlayerSnapshot)[]).every((key) => Object.is(a[key], b[key]));

/**
 * Registers the player instead of its audio element for exclusive playback, because during the student's turn
 * the element is paused but the player is active.
 */
function joinExclusivePlayback(
  { add }: PlayerEnvironment['exclusivePlayback'],
  { isOn, pause }: { isOn(): boolean; pause(): void },
) {
  const player = Object.defineProperty(new EventTarget(), 'paused', { get: () => !isOn() });
  const leave = add(Object.assign(player, { pause }) as PlayableMedia);
  return { begin: () => void player.dispatchEvent(new Event('play')), leave };
}
