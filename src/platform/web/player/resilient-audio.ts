import { createScope } from '../scope.ts';
import type { Clock, PlayerAudio, PlayerEnvironment } from './player-environment.ts';
import type { SoundFailure } from './player-reducer.ts';

/** What becomes of the sound without being asked to. */
export type AudioEvent = 'length-known' | 'ended' | 'interrupted' | 'failing' | 'failed';

type Options = {
  address: string;
  /** Seconds as the server measured them, to the nearest whole; null when it does not know. */
  duration: number | null;
  rate: number;
  volume: number;
  environment: Pick<PlayerEnvironment, 'clock' | 'connection' | 'reach'>;
  onEvent(event: AudioEvent): void;
  /** What is asked for here may have changed; not told of the passing of time. */
  onChange(): void;
  /** Some four times a second while it plays. */
  onTime(): void;
};

export type ResilientAudio = ReturnType<typeof createResilientAudio>;

/** From MediaError, which tests do not have. */
const NETWORK_ERROR = 2;
const HAVE_FUTURE_DATA = 3;

/**
 * An `<audio preload="none">` that outlives a lost connection: it finds out why it failed, goes on where it broke off
 * when the connection is back, and takes orders meanwhile. It owns the element, and all that listens to it, until `end`.
 */
export function createResilientAudio(element: PlayerAudio, options: Options) {
  const { address, duration, environment, onEvent, onChange, onTime } = options;
  let { rate } = options;
  const scope = createScope();
  /** It was told to play, and nothing has ended it since. */
  let isWanted = false;
  let failure: SoundFailure | null = null;
  let hasTriedAgain = false;
  /** Where to go as soon as the element can. */
  let cue: number | null = null;
  const waiting = createWaiting(environment.clock, onChange);

  const canSetVolume = canSet(element, options.volume);
  // The last to go: by then nobody listens any more.
  scope.own(() => {
    element.pause();
    element.removeAttribute('src');
    element.load();
  });
  scope.own(waiting.end);
  element.src = address;
  applyRate();
  const on = (type: string, listener: () => void) => scope.listen(element, type, listener);
  on('loadedmetadata', onLoaded);
  on('pause', onPause);
  on('ended', () => onEvent('ended'));
  on('error', () => void onError());
  on('waiting', onWaiting);
  on('playing', onPlaying);
  on('timeupdate', onTime);
  for (const type of ['play', 'seeking', 'seeked', 'ratechange', 'durationchange', 'canplay'])
    on(type, onChange);
  scope.listen(environment.connection, 'online', () => failure === 'lost' && tryAgain());

  // What it is told

  function play(): void {
    isWanted = true;
    if (failure !== null || element.readyState < HAVE_FUTURE_DATA) waiting.begin();
    if (failure === null) void beginSound();
  }

  async function beginSound(): Promise<void> {
    try {
      await element.play();
    } catch (error) {
      // A browser that plays only from within a press. Other refusals come as the element's own error.
      if (nameOf(error) === 'NotAllowedError' && !scope.ended) interrupt();
    }
  }

  function pause(): void {
    isWanted = false;
    waiting.end();
    element.pause();
  }

  function seek(to: number): void {
    if (element.readyState === 0 || failure !== null) {
      cue = to;
      return;
    }
    // What was wished for before the file came is overtaken, also where its event is still on its way.
    cue = null;
    element.currentTime = to;
  }

  /** After a lost connection, without waiting for it to be back. */
  function retry(): void {
    isWanted = true;
    tryAgain();
  }

  function setRate(to: number): void {
    rate = to;
    applyRate();
  }

  function applyRate(): void {
    element.preservesPitch = true;
    // `load()` takes the rate back to the default one.
    element.defaultPlaybackRate = rate;
    element.playbackRate = rate;
  }

  // What the element says

  function onLoaded(): void {
    applyRate();
    if (cue !== null && failure === null) {
      const to = cue;
      cue = null;
      if (to !== element.currentTime) element.currentTime = to;
    }
    onEvent('length-known');
  }

  /** Not ours, when it is still wanted: a headphone was pulled, another app plays. */
  function onPause(): void {
    const isOurs = !isWanted || !element.paused || element.ended || failure !== null || element.error;
    if (isOurs) onChange();
    else interrupt();
  }

  function interrupt(): void {
    isWanted = false;
    waiting.end();
    onEvent('interrupted');
  }

  async function onError(): Promise<void> {
    const code = element.error?.code;
    if (code === undefined || failure === 'checking') return;
    cue = position();
    failure = 'checking';
    onEvent('failing');
    const reach = await environment.reach(address);
    if (scope.ended) return;
    waiting.end();
    if (reach === 'damaged') fail('damaged');
    else if (reach === 'gone' || (reach === 'there' && code !== NETWORK_ERROR)) fail('unavailable');
    else {
      failure = 'lost';
      // The connection was away for a moment only. Who has paused since is spared the failure, and hears nothing.
      if (reach === 'there' && !(isWanted && hasTriedAgain)) tryAgain();
      else onChange();
    }
  }

  function fail(why: 'unavailable' | 'damaged'): void {
    failure = why;
    isWanted = false;
    onEvent('failed');
  }

  function tryAgain(): void {
    hasTriedAgain = isWanted;
    cue ??= element.currentTime;
    failure = null;
    element.load();
    applyRate();
    if (isWanted) play();
    onChange();
  }

  function onPlaying(): void {
    hasTriedAgain = false;
    waiting.end();
    onChange();
  }

  function onWaiting(): void {
    if (!isWanted) return;
    waiting.begin();
    onChange();
  }

  // What is so

  function position(): number {
    const at = cue ?? element.currentTime;
    return Math.min(Math.max(0, at), length() || at);
  }

  /** The browser is believed as far as it says the same as the server, only finer. */
  function length(): number {
    const { duration: said } = element;
    if (duration === null) return Number.isFinite(said) ? said : 0;
    return Math.abs(said - duration) <= 1 ? said : duration;
  }

  return {
    play,
    pause,
    seek,
    retry,
    setRate,
    setVolume: (to: number) => void (element.volume = to),
    position,
    length,
    hasEnded: () => cue === null && element.ended,
    failure: () => failure,
    /** Whether sound is heard, so that the position moves. */
    isHeard: () =>
      isWanted &&
      failure === null &&
      !element.paused &&
      !element.seeking &&
      element.readyState >= HAVE_FUTURE_DATA,
    isWaiting: waiting.isShown,
    isSlow: waiting.isLong,
    /** iOS leaves the volume to the buttons of the device. */
    canSetVolume,
    /** Falls silent and lets go of the element. Nothing can be done with it after that. */
    end: scope.end,
  };
}

const SHOWS_AFTER_MS = 300;
const IS_LONG_AFTER_MS = 8_000;

/** How long one has waited for sound: a wait shows itself after a moment, and is a slow connection after a while. */
function createWaiting(clock: Clock, onChange: () => void) {
  let state: 'no' | 'yes' | 'long' = 'no';
  let callOff = () => {};

  function become(next: typeof state): void {
    state = next;
    onChange();
  }

  return {
    isShown: () => state !== 'no',
    isLong: () => state === 'long',
    begin(): void {
      callOff();
      const endings = [
        clock.after(SHOWS_AFTER_MS, () => become('yes')),
        clock.after(IS_LONG_AFTER_MS, () => become('long')),
      ];
      callOff = () => endings.forEach((each) => each());
    },
    end(): void {
      callOff();
      state = 'no';
    },
  };
}

function canSet(element: PlayerAudio, volume: number): boolean {
  element.volume = volume === 1 ? 0.5 : volume;
  const isTaken = element.volume !== 1;
  element.volume = volume;
  return isTaken;
}

const nameOf = (error: unknown) =>
  error instanceof Error || error instanceof DOMException ? error.name : '';
