import {
  isLineInLoop,
  clampToLoop,
  isOutsideLoop,
  type Loop,
  moveLoopA,
  moveLoopB,
  NO_LOOP,
  type ActiveLoop,
  createLoop,
  setLoopA,
  setLoopB,
  getLoopStart,
  moveLoopEndToKnownEnd,
  moveLoopEndToDuration,
} from '#web/audio/loop.ts';
import { type PracticeSettings, roundPlaybackRate } from './practice-settings.ts';

/**
 * The player's activity. Loading and a lost connection are not part of it, because the audio element reports
 * them.
 */
export type PlayerActivity =
  /** `isInterrupted`: stopped by something other than the user. */
  { readonly kind: 'still'; readonly isInterrupted?: true } | { readonly kind: 'sound' } | Turn;

/**
 * The student's turn: a silence. `since` is the time on the player's clock when it began, in milliseconds.
 */
type Turn = { readonly kind: 'turn'; readonly since: number };

export type PlayerState = PracticeSettings & {
  /** Duration measured by the server, in whole seconds; null if unknown. */
  readonly duration: number | null;
  readonly activity: PlayerActivity;
  /** Number of the current round of the loop, from 1. */
  readonly round: number;
  /** Whether all repeats of the loop have been heard. */
  readonly isDone: boolean;
  /**
   * The loop that `go-to`, `play-line` or `play-passage` cleared; null once the user has set or cleared a
   * loop.
   */
  readonly clearedLoop: ActiveLoop | null;
};

/**
 * Reason why there is no audio. 'checking': the reason is being determined. 'lost': the connection is lost,
 * and the user can retry. The other failures are permanent.
 */
export type SoundFailure = 'checking' | 'lost' | 'unavailable' | 'damaged';

/** State of the audio at the moment of an event. Position and length are in seconds. */
export type SoundState = {
  readonly position: number;
  /** 0 if unknown. */
  readonly length: number;
  readonly hasEnded: boolean;
  readonly failure: SoundFailure | null;
  /** Time on the player's clock, in milliseconds. */
  readonly now: number;
};

export type PlayerEvent =
  // User actions.
  | { readonly type: 'play' | 'pause' | 'stop' | 'restart' | 'retry' }
  /**
   * 'seek' stays within the loop. 'go-to' clears the loop if the position is outside it. 'play-from' is 'seek'
   * followed by 'play', and 'play-line' is 'go-to' followed by 'play'. 'play-passage' plays from `a`, and clears
   * a loop that doesn't contain the whole passage.
   */
  | { readonly type: 'seek' | 'play-from' | 'go-to' | 'play-line'; readonly to: number }
  | { readonly type: 'set-a' | 'set-b' | 'clear-loop' | 'loop-again' }
  | { readonly type: 'set-loop' | 'play-passage'; readonly a: number; readonly b: number }
  | { readonly type: 'move-a' | 'move-b'; readonly to: number }
  | { readonly type: 'set-rate' | 'set-volume' | 'set-gap'; readonly to: number }
  | { readonly type: 'set-repeats'; readonly to: number | null }
  // Audio events.
  | { readonly type: 'length-known' | 'ended' }
  /**
   * Paused from outside (headphones unplugged, another app), or not started because the browser allows playback
   * only during a press.
   */
  | { readonly type: 'interrupted' }
  /** 'failing': the reason for a failure is being determined. 'failed': the audio can't be played. */
  | { readonly type: 'failing' | 'failed' }
  // Timers.
  | { readonly type: 'passage-ended' | 'turn-ended' };

/** Commands to the audio, executed in order. */
export type PlayerCommand =
  | { readonly type: 'play' | 'pause' | 'retry' }
  | { readonly type: 'seek' | 'set-rate' | 'set-volume'; readonly to: number };

/**
 * An intermediate result of the reducer: the state and the commands so far. `sound` is the state of the audio
 * after these commands.
 */
type ReducerStep = {
  readonly state: PlayerState;
  readonly sound: SoundState;
  readonly commands: readonly PlayerCommand[];
};

export const createPlayerState = (practice: PracticeSettings, duration: number | null): PlayerState => ({
  ...practice,
  loop: duration === null ? practice.loop : moveLoopEndToKnownEnd(practice.loop, duration, duration),
  duration,
  activity: { kind: 'still' },
  round: 1,
  isDone: false,
  clearedLoop: null,
});

/**
 * Computes the state after an event, and the commands to the audio. A pure function: it accesses no element and
 * no timer.
 */
export function reducePlayer(
  state: PlayerState,
  event: PlayerEvent,
  sound: SoundState,
): { state: PlayerState; commands: readonly PlayerCommand[] } {
  const { state: next, commands } = applyEvent({ state, sound, commands: [] }, event);
  return { state: next, commands };
}

/**
 * Returns the duration of the student's turn, in seconds: the time the passage took to play, times the chosen
 * multiple; 0 without a loop.
 */
export const getStudentTurnSeconds = ({ loop, rate, gap }: PlayerState) =>
  loop.kind === 'active' ? ((loop.b - loop.a) / rate) * gap : 0;

/** Returns the seconds left of the student's turn; 0 at any other time. */
export const getRemainingStudentTurnSeconds = (state: PlayerState, now: number) =>
  state.activity.kind === 'turn'
    ? Math.max(0, getStudentTurnSeconds(state) - (now - state.activity.since) / 1000)
    : 0;

function applyEvent(at: ReducerStep, event: PlayerEvent): ReducerStep {
  const { loop, clearedLoop } = at.state;
  const { position, length } = at.sound;
  switch (event.type) {
    case 'play':
      return play(at);
    case 'pause':
      return pause(at);
    case 'stop':
      return moveToStart(pause(at));
    case 'restart':
      return play(moveToStart(at));
    case 'retry':
      return at.sound.failure === 'lost' ? retry(at) : at;
    case 'seek':
      return resumeAfterTurn(at, seek(at, event.to));
    case 'play-from':
      return play(seek(at, event.to));
    case 'go-to':
      return resumeAfterTurn(at, goTo(at, event.to));
    case 'play-line':
      return play(goTo(at, event.to));
    case 'play-passage':
      return play(goToPassage(at, event));
    case 'set-a':
      return changeLoop(at, setLoopA(position));
    case 'set-b':
      return changeLoop(at, setLoopB(loop, position, length));
    case 'clear-loop':
      return changeLoop(at, NO_LOOP);
    case 'loop-again':
      return changeLoop(at, clearedLoop);
    case 'set-loop':
      return changeLoop(at, createLoop(event.a, event.b, length));
    case 'move-a':
      return changeLoop(at, moveLoopA(loop, event.to, length), { round: at.state.round });
    case 'move-b':
      return changeLoop(at, moveLoopB(loop, event.to, length), { round: at.state.round });
    case 'set-rate': {
      const rate = roundPlaybackRate(event.to);
      return withCommand(withState(at, { rate }), { type: 'set-rate', to: rate });
    }
    case 'set-volume': {
      const volume = Math.min(1, Math.max(0, event.to));
      return withCommand(withState(at, { volume }), { type: 'set-volume', to: volume });
    }
    case 'set-gap':
      return withState(at, { gap: event.to });
    case 'set-repeats':
      return withState(at, { repeats: event.to });
    case 'length-known': {
      const { duration } = at.state;
      return duration === null ? at : withState(at, { loop: moveLoopEndToDuration(loop, duration, length) });
    }
    case 'passage-ended':
      return endPassage(at);
    case 'ended':
      return loop.kind === 'active' ? endPassage(at) : pause(at);
    case 'turn-ended':
      return isTurn(at) ? nextRound(at) : at;
    case 'failing':
      // Ends the student's turn, because no round can follow while the audio fails. Playback resumes as soon as
      // the audio can play.
      return isTurn(at) ? resumeSound(at) : at;
    case 'interrupted':
      return withState(at, { activity: { kind: 'still', isInterrupted: true } });
    case 'failed':
      return withState(at, { activity: { kind: 'still' } });
  }
}

function play(at: ReducerStep): ReducerStep {
  const { failure } = at.sound;
  if (failure === 'lost') return retry(at);
  if (failure === 'unavailable' || failure === 'damaged') return at;
  const { isDone, loop } = at.state;
  if (!isDone && !isAtEnd(at) && !isOutsideLoop(loop, at.sound.position)) return resumeSound(at);
  const round = isDone || loop.kind !== 'active' ? 1 : at.state.round;
  return resumeSound(moveTo(withState(at, { round, isDone: false }), getLoopStart(loop)));
}

const pause = (at: ReducerStep) =>
  withCommand(withState(at, { activity: { kind: 'still' } }), { type: 'pause' });

/** Resumes playback where a lost connection interrupted it. */
const retry = (at: ReducerStep) =>
  withCommand(withState(at, { activity: { kind: 'sound' } }), { type: 'retry' });

const resumeSound = (at: ReducerStep) =>
  withCommand(withState(at, { activity: { kind: 'sound' } }), { type: 'play' });

const moveToStart = (at: ReducerStep) =>
  moveTo(withState(at, { round: 1, isDone: false }), getLoopStart(at.state.loop));

const seek = (at: ReducerStep, to: number) =>
  moveTo(withState(at, { isDone: false }), clampToLoop(at.state.loop, to, at.sound.length));

/** Goes to a position. If the position is outside the loop, clears the loop. */
function goTo(at: ReducerStep, begin: number): ReducerStep {
  const { loop } = at.state;
  const isWithin = loop.kind !== 'active' || isLineInLoop(loop, begin);
  return seek(isWithin ? at : withLoopCleared(at, loop), begin);
}

/** Tolerance for the rounding of the ends of a loop. */
const LOOP_TOLERANCE_SECONDS = 0.001;

/** Goes to the start of a passage. If the loop doesn't contain the whole passage, clears the loop. */
function goToPassage(at: ReducerStep, { a, b }: { a: number; b: number }): ReducerStep {
  const { loop } = at.state;
  const isWithin =
    loop.kind !== 'active' || (a >= loop.a - LOOP_TOLERANCE_SECONDS && b <= loop.b + LOOP_TOLERANCE_SECONDS);
  return seek(isWithin ? at : withLoopCleared(at, loop), a);
}

const withLoopCleared = (at: ReducerStep, loop: ActiveLoop) =>
  withState(at, { loop: NO_LOOP, clearedLoop: loop, round: 1 });

/**
 * Changes the loop, or does nothing if the new loop is null. Rounds are counted from 1 again unless `round` is
 * given.
 */
function changeLoop(at: ReducerStep, loop: Loop | null, { round } = { round: 1 }): ReducerStep {
  if (loop === null) return at;
  const { activity } = at.state;
  const changed = withState(at, {
    ...{ loop, round, clearedLoop: null, isDone: false },
    // Clears `isInterrupted`, because a user who changes the loop has noticed the interruption.
    ...(activity.kind === 'still' && { activity: { kind: 'still' } as const }),
  });
  const moved = isOutsideLoop(loop, at.sound.position) ? moveTo(changed, getLoopStart(loop)) : changed;
  return resumeAfterTurn(at, moved);
}

/** Resumes playback if the user's action has ended the student's turn. */
const resumeAfterTurn = (before: ReducerStep, after: ReducerStep) =>
  isTurn(before) ? resumeSound(after) : after;

function endPassage(at: ReducerStep): ReducerStep {
  const { loop, gap, activity } = at.state;
  if (loop.kind !== 'active' || activity.kind !== 'sound') return at;
  if (gap === 0) return nextRound(at);
  const turn: Turn = { kind: 'turn', since: at.sound.now };
  return moveTo(withCommand(withState(at, { activity: turn }), { type: 'pause' }), loop.a);
}

function nextRound(at: ReducerStep): ReducerStep {
  const { loop, repeats, round } = at.state;
  const start = getLoopStart(loop);
  if (repeats !== null && round >= repeats) return moveTo(withState(pause(at), { isDone: true }), start);
  const next = withState(at, { round: round + 1 });
  return resumeSound(at.sound.position === start ? next : moveTo(next, start));
}

const isTurn = ({ state }: ReducerStep) => state.activity.kind === 'turn';

const isAtEnd = ({ sound: { hasEnded, position, length } }: ReducerStep) =>
  hasEnded || (length > 0 && position >= length);

const withState = (at: ReducerStep, part: Partial<PlayerState>): ReducerStep => ({
  ...at,
  state: { ...at.state, ...part },
});

const withCommand = (at: ReducerStep, next: PlayerCommand): ReducerStep => ({
  ...at,
  commands: [...at.commands, next],
});

const moveTo = (at: ReducerStep, to: number): ReducerStep => ({
  ...withCommand(at, { type: 'seek', to }),
  sound: { ...at.sound, position: to, hasEnded: false },
});
