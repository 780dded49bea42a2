import { createScope } from '../audio/scope.ts';
import {
  belongsTo,
  confine,
  isOutside,
  type Loop,
  moveA,
  moveB,
  NO_LOOP,
  type Passage,
  passage,
  setA,
  setB,
  startOf,
  toRealEnd,
} from './loop.ts';
import { createLoopTimer } from './loop-timer.ts';
import { joinOnePlaying } from './one-playing.ts';
import type { PlayerAudio, PlayerEnvironment } from './player-environment.ts';
import { type Practice, rateOnStep } from './practice.ts';
import type { PracticeClock } from './practice-clock.ts';
import { createTurn } from './turn.ts';
import { createWaiting } from './waiting.ts';

/**
 * 'gap' is the student's turn. 'lost' goes on when the connection is back, and can be tried again before;
 * 'unavailable' cannot. Who has paused reads 'still', whatever has failed: the next play tries again.
 */
export type PlayerPhase = 'still' | 'loading' | 'playing' | 'gap' | 'lost' | 'unavailable';

export type PlayerSnapshot = Practice & {
  readonly phase: PlayerPhase;
  /** The connection has kept one waiting for long. */
  readonly isSlow: boolean;
  /** Which time the loop is heard, from 1. */
  readonly round: number;
  /** All repeats have been heard. */
  readonly isDone: boolean;
  /** The loop that gave way to a line outside of it, until there is another. */
  readonly letGo: Passage | null;
  /** Seconds. */
  readonly length: number;
  /** iOS leaves the volume to the buttons of the device. */
  readonly canSetVolume: boolean;
};

export type PracticePlayer = ReturnType<typeof createPracticePlayer>;

type PracticePlayerOptions = {
  address: string;
  /** Seconds as the server measured them, to the nearest whole; null when it does not know. */
  duration: number | null;
  practice: Practice;
  environment: PlayerEnvironment;
};

/** From MediaError, which tests do not have. */
const NETWORK_ERROR = 2;
const HAVE_FUTURE_DATA = 3;

/**
 * Plays one melody for practice on an `<audio preload="none">`: loop, rounds, the student's turn, speed, and what
 * becomes of it on a bad connection. Fetches nothing before the first `play`. It owns the element until `end`.
 */
export function createPracticePlayer(audio: PlayerAudio, options: PracticePlayerOptions) {
  const { address, environment } = options;
  const { clock } = environment;
  const scope = createScope();
  const listeners = new Set<() => void>();
  let { rate, volume, repeats, gap, loop } = options.practice;
  /** Somebody has pressed play, and nothing has ended it since. */
  let isWanted = false;
  let failure: 'checking' | 'lost' | 'unavailable' | null = null;
  let hasTriedAgain = false;
  /** Where to go as soon as the element can. */
  let cue: number | null = null;
  let round = 1;
  let isDone = false;
  let letGo: Passage | null = null;
  const waiting = createWaiting(clock, tell);
  const turn = createTurn({ clock, length: turnLength, onEnd: onTurnEnd });

  const canSetVolume = canSet(audio, volume);
  // The last to go: by then nobody listens any more.
  scope.own(() => {
    audio.pause();
    audio.removeAttribute('src');
    audio.load();
  });
  environment.onePlaying.pauseAll();
  const sounding = joinOnePlaying(environment.onePlaying, { isOn: () => isWanted, pause });
  scope.own(sounding.leave);
  const loopTimer = createLoopTimer({
    clock,
    position,
    end: () => (loop.kind === 'active' && isSounding() ? loop.b : null),
    rate: () => rate,
    onEnd: onPassageEnd,
  });
  scope.own(() => {
    loopTimer.stop();
    turn.end();
    waiting.end();
    listeners.clear();
  });

  let snapshot = snapshotNow();
  audio.src = address;
  applyRate();
  if (loop.kind === 'active') cue = loop.a;
  const on = (type: string, listener: () => void) => scope.listen(audio, type, listener);
  on('loadedmetadata', onLoaded);
  on('pause', onPause);
  on('ended', onEnded);
  on('error', () => void onError());
  on('waiting', onWaiting);
  on('playing', onPlaying);
  on('timeupdate', loopTimer.aim);
  for (const type of ['play', 'seeking', 'seeked', 'ratechange', 'durationchange', 'canplay']) on(type, tell);
  scope.listen(environment.connection, 'online', () => failure === 'lost' && tryAgain());

  // Playing

  function play(): void {
    if (scope.ended || failure === 'unavailable') return;
    if (failure === 'lost') return retry();
    turn.end();
    if (isDone || isAtEnd() || isOutside(loop, position())) {
      if (isDone || loop.kind !== 'active') round = 1;
      moveTo(startOf(loop));
    }
    isDone = false;
    sound();
  }

  function pause(): void {
    isWanted = false;
    turn.end();
    waiting.end();
    audio.pause();
    tell();
  }

  function stop(): void {
    pause();
    backToStart();
    tell();
  }

  function restart(): void {
    turn.end();
    backToStart();
    play();
  }

  function seek(to: number): void {
    const wasTurn = turn.end();
    isDone = false;
    moveTo(confine(loop, to, length()));
    if (wasTurn) sound();
    tell();
  }

  function playFrom(to: number): void {
    seek(to);
    play();
  }

  /** Goes to what begins there, out of the loop too: that is let go then. */
  function goTo(begin: number): void {
    const former = loop;
    if (former.kind === 'active' && !belongsTo(former, begin)) {
      changeLoop(NO_LOOP, { isNew: true });
      letGo = former;
    }
    seek(begin);
  }

  function playLine(start: number): void {
    goTo(start);
    play();
  }

  /** After a lost connection: from where it broke off. */
  function retry(): void {
    if (scope.ended || failure !== 'lost') return;
    hasTriedAgain = false;
    isWanted = true;
    tryAgain();
  }

  // The loop

  function setAHere(): void {
    changeLoop(setA(position()), { isNew: true });
  }

  /** Sets B here and goes to A; false when B would not be after A. */
  function setBHere(): boolean {
    const next = setB(loop, position(), length());
    if (next === null) return false;
    changeLoop(next, { isNew: true });
    return true;
  }

  function setLoop(a: number, b: number): void {
    const next = passage(a, b, length());
    if (next) changeLoop(next, { isNew: true });
  }

  function clearLoop(): void {
    changeLoop(NO_LOOP, { isNew: true });
  }

  function changeLoop(next: Loop, { isNew }: { isNew: boolean }): void {
    const wasTurn = turn.end();
    loop = next;
    letGo = null;
    if (isNew) round = 1;
    isDone = false;
    if (isOutside(loop, position())) moveTo(startOf(loop));
    if (wasTurn) sound();
    tell();
  }

  function onPassageEnd(): void {
    if (loop.kind !== 'active' || turn.isOn()) return;
    if (gap === 0) nextRound();
    else {
      turn.begin();
      audio.pause();
      moveTo(loop.a);
    }
    tell();
  }

  function nextRound(): void {
    if (repeats !== null && round >= repeats) {
      isDone = true;
      isWanted = false;
      audio.pause();
      backToStart({ keepRound: true });
    } else {
      round += 1;
      if (position() !== startOf(loop)) moveTo(startOf(loop));
      sound();
    }
  }

  function onTurnEnd(): void {
    nextRound();
    tell();
  }

  /** As long as the passage was heard, times the chosen multiple. Seconds. */
  function turnLength(): number {
    return loop.kind === 'active' ? ((loop.b - loop.a) / rate) * gap : 0;
  }

  // The element

  function sound(): void {
    isWanted = true;
    sounding.begin();
    if (failure !== null || audio.readyState < HAVE_FUTURE_DATA) waiting.begin();
    if (failure === null) beginSound();
    tell();
  }

  function beginSound(): void {
    audio.play().catch((error: unknown) => {
      // A browser that plays only from within a press. Other refusals come as the element's own error.
      if (nameOf(error) !== 'NotAllowedError' || scope.ended) return;
      isWanted = false;
      waiting.end();
      tell();
    });
  }

  function moveTo(to: number): void {
    if (audio.readyState === 0 || failure !== null) {
      cue = to;
      return;
    }
    // What was wished for before the file came is overtaken, also where its event is still on its way.
    cue = null;
    audio.currentTime = to;
  }

  function backToStart({ keepRound = false } = {}): void {
    if (!keepRound) {
      round = 1;
      isDone = false;
    }
    moveTo(startOf(loop));
  }

  function applyRate(): void {
    audio.preservesPitch = true;
    // `load()` takes the rate back to the default one.
    audio.defaultPlaybackRate = rate;
    audio.playbackRate = rate;
  }

  function onLoaded(): void {
    applyRate();
    if (options.duration !== null) loop = toRealEnd(loop, options.duration, length());
    if (cue !== null && failure === null) {
      const to = cue;
      cue = null;
      if (to !== audio.currentTime) audio.currentTime = to;
    }
    tell();
  }

  /** Not ours, when it is still wanted: a headphone was pulled, another app plays. */
  function onPause(): void {
    const isOurs = turn.isOn() || !audio.paused || audio.ended || failure !== null || audio.error;
    if (!isOurs) {
      isWanted = false;
      waiting.end();
    }
    tell();
  }

  function onEnded(): void {
    if (loop.kind === 'active' && isWanted) return onPassageEnd();
    isWanted = false;
    waiting.end();
    tell();
  }

  async function onError(): Promise<void> {
    const code = audio.error?.code;
    if (code === undefined || failure === 'checking') return;
    cue = position();
    failure = 'checking';
    turn.end();
    tell();
    const reach = await environment.reach(address);
    if (scope.ended) return;
    failure = reach === 'gone' || (reach === 'there' && code !== NETWORK_ERROR) ? 'unavailable' : 'lost';
    waiting.end();
    // The connection was away for a moment only. Who has paused since is spared the failure, and hears nothing.
    if (failure === 'lost' && reach === 'there' && !(isWanted && hasTriedAgain)) tryAgain();
    if (failure === 'unavailable') isWanted = false;
    tell();
  }

  function tryAgain(): void {
    hasTriedAgain = isWanted;
    cue ??= audio.currentTime;
    failure = null;
    audio.load();
    applyRate();
    if (isWanted) sound();
    tell();
  }

  function onPlaying(): void {
    hasTriedAgain = false;
    waiting.end();
    tell();
  }

  function onWaiting(): void {
    if (!isWanted) return;
    waiting.begin();
    tell();
  }

  // What is so

  function position(): number {
    const at = cue ?? audio.currentTime;
    return Math.min(Math.max(0, at), length() || at);
  }

  /** The browser is believed as far as it says the same as the server, only finer. */
  function length(): number {
    const { duration: said } = audio;
    const known = options.duration;
    if (known === null) return Number.isFinite(said) ? said : 0;
    return Math.abs(said - known) <= 1 ? said : known;
  }

  const isAtEnd = () => (cue === null && audio.ended) || (length() > 0 && position() >= length());

  const isSounding = () =>
    isWanted &&
    !turn.isOn() &&
    failure === null &&
    !audio.paused &&
    !audio.seeking &&
    audio.readyState >= HAVE_FUTURE_DATA;

  function phaseNow(): PlayerPhase {
    if (failure === 'unavailable') return failure;
    if (turn.isOn()) return 'gap';
    if (!isWanted) return 'still';
    if (failure === 'lost') return failure;
    return waiting.isShown() || failure === 'checking' ? 'loading' : 'playing';
  }

  function snapshotNow(): PlayerSnapshot {
    const practice = { rate, volume, repeats, gap, loop };
    return {
      ...practice,
      phase: phaseNow(),
      isSlow: waiting.isLong(),
      round,
      isDone,
      letGo,
      length: length(),
      canSetVolume,
    };
  }

  function tell(): void {
    if (scope.ended) return;
    loopTimer.aim();
    const next = snapshotNow();
    if (!isSame(snapshot, next)) snapshot = next;
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  const practiceClock: PracticeClock = {
    now: position,
    isPlaying: isSounding,
    rate: () => rate,
    length,
    loop: () => (loop.kind === 'active' ? loop : null),
    subscribe,
    seek,
    playFrom,
    playLine,
    setLoop,
    clearLoop,
  };

  return {
    clock: practiceClock,
    snapshot: () => snapshot,
    subscribe,
    position,
    /** Seconds left of the student's turn, and how long it is in all. */
    turn: () => ({ left: turn.left(), length: turnLength() }),
    play,
    pause,
    toggle: () => (isOn(phaseNow()) ? pause() : play()),
    stop,
    restart,
    seek,
    retry,
    setA: setAHere,
    setB: setBHere,
    clearLoop,
    goTo,
    loopAgain: () => letGo && changeLoop(letGo, { isNew: true }),
    moveA: (to: number) => changeLoop(moveA(loop, to, length()), { isNew: false }),
    moveB: (to: number) => changeLoop(moveB(loop, to, length()), { isNew: false }),
    setRate(to: number) {
      rate = rateOnStep(to);
      applyRate();
      turn.aim();
      tell();
    },
    setVolume(to: number) {
      volume = Math.min(1, Math.max(0, to));
      audio.volume = volume;
      tell();
    },
    setRepeats(times: number | null) {
      repeats = times;
      tell();
    },
    setGap(multiple: number) {
      gap = multiple;
      turn.aim();
      tell();
    },
    /** Falls silent and lets go of the element. Nothing can be done with it after that. */
    end: () => scope.end(),
  };
}

/** Whether a press of the play button would pause. */
export const isOn = (phase: PlayerPhase) => phase === 'playing' || phase === 'loading' || phase === 'gap';

function canSet(audio: PlayerAudio, volume: number): boolean {
  audio.volume = volume === 1 ? 0.5 : volume;
  const isTaken = audio.volume !== 1;
  audio.volume = volume;
  return isTaken;
}

const isSame = (a: PlayerSnapshot, b: PlayerSnapshot) =>
  (Object.keys(a) as (keyof PlayerSnapshot)[]).every((key) => Object.is(a[key], b[key]));

const nameOf = (error: unknown) =>
  error instanceof Error || error instanceof DOMException ? error.name : '';
