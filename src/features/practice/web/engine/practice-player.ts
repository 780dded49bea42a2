import type { Playable } from '#web/audio/playback.ts';
import { createScope } from '#web/api/scope.ts';
import { createListeners } from '#web/store.ts';
import { createLoopTimer } from './loop-timer.ts';
import type { PlayerAudio, PlayerEnvironment } from './player-environment.ts';
import {
  type Command,
  newPlayer,
  type PlayerEvent,
  type PlayerState,
  reducePlayer,
  type Sound,
  turnLeft,
  turnLength,
} from './player-reducer.ts';
import type { Practice } from './practice.ts';
import type { PracticeClock } from '#web/audio/practice-clock.ts';
import { createResilientAudio, type ResilientAudio } from './resilient-audio.ts';

/**
 * 'gap' is the student's turn. 'lost' resumes when the connection is back, and can be retried before; 'unavailable' and
 * 'damaged' can't. After a pause, the phase is 'still' even if the connection is lost; the next play retries.
 */
export type PlayerPhase = 'still' | 'loading' | 'playing' | 'gap' | 'lost' | 'unavailable' | 'damaged';

export type PlayerSnapshot = Practice &
  Pick<PlayerState, 'round' | 'isDone' | 'letGo'> & {
    readonly phase: PlayerPhase;
    /**
     * Whether something other than the user paused it, such as a call or unplugged headphones. Reset by the next play
     * or pause.
     */
    readonly isInterrupted: boolean;
    /** Whether the user has been waiting for the connection for several seconds. */
    readonly isSlow: boolean;
    /** Length in seconds. */
    readonly length: number;
    /** False on iOS, where only the device's buttons change the volume. */
    readonly canSetVolume: boolean;
  };

export type PracticePlayer = ReturnType<typeof createPracticePlayer>;

type PracticePlayerOptions = {
  address: string;
  /** Length measured by the server, in whole seconds; null if unknown. */
  duration: number | null;
  practice: Practice;
  environment: PlayerEnvironment;
};

/**
 * Plays one melody for practice. The reducer decides; the player passes events to it and applies its commands to the
 * audio and the timers. Fetches nothing before the first `play`. Owns the element until `end`.
 */
export function createPracticePlayer(element: PlayerAudio, options: PracticePlayerOptions) {
  const { address, duration, practice, environment } = options;
  const { clock } = environment;
  const scope = createScope();
  const changes = createListeners();
  const ticks = createListeners();
  let state = newPlayer(practice, duration);
  const coming: PlayerEvent[] = [];
  let isReducing = false;

  environment.onePlaying.pauseAll();
  const audio = createResilientAudio(element, {
    ...{ address, duration, environment, rate: state.rate, volume: state.volume },
    onEvent: (type) => send({ type }),
    onChange: tell,
    onTime() {
      loopTimer.aim();
      ticks.notify();
    },
  });
  scope.own(audio.end);
  const sounding = joinOnePlaying(environment.onePlaying, {
    isOn: () => state.activity.kind !== 'still',
    pause: () => send({ type: 'pause' }),
  });
  scope.own(sounding.leave);
  const loopTimer = createLoopTimer({
    clock,
    position: audio.position,
    end: () => (state.loop.kind === 'active' && audio.isHeard() ? state.loop.b : null),
    rate: () => state.rate,
    onEnd: () => send({ type: 'passage-ended' }),
  });
  scope.own(loopTimer.stop);
  let callOffTurn = () => {};
  scope.own(() => {
    callOffTurn();
    changes.clear();
    ticks.clear();
  });
  if (state.loop.kind === 'active') audio.seek(state.loop.a);
  let snapshot = snapshotOf(state, audio);

  /** Handles one event at a time. Events fired by the element during a command are handled after it. */
  function send(event: PlayerEvent): void {
    if (scope.ended) return;
    coming.push(event);
    if (isReducing) return;
    isReducing = true;
    try {
      for (let next = coming.shift(); next; next = coming.shift()) {
        const { state: after, commands } = reducePlayer(state, next, soundNow());
        state = after;
        commands.forEach(obey);
      }
    } finally {
      isReducing = false;
    }
    tell();
  }

  function obey(command: Command): void {
    if (command.type === 'seek') return audio.seek(command.to);
    if (command.type === 'set-rate') return audio.setRate(command.to);
    if (command.type === 'set-volume') return audio.setVolume(command.to);
    if (command.type === 'pause') return audio.pause();
    sounding.begin();
    audio[command.type]();
  }

  function tell(): void {
    if (scope.ended || isReducing) return;
    loopTimer.aim();
    aimTurn();
    const next = snapshotOf(state, audio);
    if (!isSame(snapshot, next)) snapshot = next;
    changes.notify();
  }

  function aimTurn(): void {
    callOffTurn();
    if (state.activity.kind !== 'turn') return;
    callOffTurn = clock.after(turnLeft(state, clock.now()) * 1000, () => send({ type: 'turn-ended' }));
  }

  const soundNow = (): Sound => ({
    position: audio.position(),
    length: audio.length(),
    hasEnded: audio.hasEnded(),
    failure: audio.failure(),
    now: clock.now(),
  });

  const sender = (type: Simple) => () => send({ type });
  const senderTo = (type: Moving) => (to: number) => send({ type, to });

  const practiceClock: PracticeClock = {
    now: audio.position,
    isPlaying: audio.isHeard,
    isOn: () => state.activity.kind !== 'still',
    rate: () => state.rate,
    length: audio.length,
    loop: () => (state.loop.kind === 'active' ? state.loop : null),
    subscribe: changes.subscribe,
    seek: senderTo('seek'),
    playFrom: senderTo('play-from'),
    playLine: senderTo('play-line'),
    setLoop: (a, b) => send({ type: 'set-loop', a, b }),
    clearLoop: sender('clear-loop'),
  };

  return {
    clock: practiceClock,
    snapshot: () => snapshot,
    subscribe: changes.subscribe,
    /** Also notifies of time passing, about four times a second. */
    subscribeToTime(listener: () => void) {
      const leaveBoth = [changes.subscribe(listener), ticks.subscribe(listener)];
      return () => leaveBoth.forEach((leave) => leave());
    },
    position: audio.position,
    /** Returns the seconds left of the student's turn, and its full length. */
    turn: () => ({ left: turnLeft(state, clock.now()), length: turnLength(state) }),
    play: sender('play'),
    pause: sender('pause'),
    toggle: () => send({ type: isOn(phaseOf(state, audio)) ? 'pause' : 'play' }),
    stop: sender('stop'),
    restart: sender('restart'),
    seek: senderTo('seek'),
    retry: sender('retry'),
    setA: sender('set-a'),
    /** Sets B at the current position and goes to A. Returns false if B would not be after A. */
    setB(): boolean {
      const { loop } = state;
      send({ type: 'set-b' });
      return state.loop !== loop;
    },
    clearLoop: sender('clear-loop'),
    /** Goes to a position, and clears a loop that does not contain it. */
    goTo: senderTo('go-to'),
    loopAgain: sender('loop-again'),
    moveA: senderTo('move-a'),
    moveB: senderTo('move-b'),
    setRate: senderTo('set-rate'),
    setVolume: senderTo('set-volume'),
    setRepeats: (to: number | null) => send({ type: 'set-repeats', to }),
    setGap: senderTo('set-gap'),
    /** Stops playback and releases the element. The player can't be used afterwards. */
    end: scope.end,
  };
}

/** Returns whether a press of the play button would pause. */
export const isOn = (phase: PlayerPhase) => phase === 'playing' || phase === 'loading' || phase === 'gap';

/** Returns whether it will never play, however often the user presses play. */
export const isBeyondRetry = (phase: PlayerPhase) => phase === 'unavailable' || phase === 'damaged';

type Moving = Extract<PlayerEvent, { readonly to: number }>['type'];
type Simple = Exclude<PlayerEvent, { readonly to: unknown } | { readonly a: number }>['type'];

function phaseOf({ activity }: PlayerState, audio: ResilientAudio): PlayerPhase {
  const failure = audio.failure();
  if (failure === 'unavailable' || failure === 'damaged') return failure;
  if (activity.kind === 'turn') return 'gap';
  if (activity.kind === 'still') return 'still';
  if (failure === 'lost') return failure;
  return audio.isWaiting() || failure === 'checking' ? 'loading' : 'playing';
}

function snapshotOf(state: PlayerState, audio: ResilientAudio): PlayerSnapshot {
  const { activity: _, duration: __, ...shown } = state;
  return {
    ...shown,
    phase: phaseOf(state, audio),
    isInterrupted: state.activity.kind === 'still' && state.activity.isInterrupted === true,
    isSlow: audio.isSlow(),
    length: audio.length(),
    canSetVolume: audio.canSetVolume,
  };
}

const isSame = (a: PlayerSnapshot, b: PlayerSnapshot) =>
  (Object.keys(a) as (keyof PlayerSnapshot)[]).every((key) => Object.is(a[key], b[key]));

/**
 * Joins the player instead of the element, because during the student's turn the element is silent but the player is
 * active.
 */
function joinOnePlaying(
  { join }: PlayerEnvironment['onePlaying'],
  { isOn, pause }: { isOn(): boolean; pause(): void },
) {
  const player = Object.defineProperty(new EventTarget(), 'paused', { get: () => !isOn() });
  const leave = join(Object.assign(player, { pause }) as Playable);
  return { begin: () => void player.dispatchEvent(new Event('play')), leave };
}
