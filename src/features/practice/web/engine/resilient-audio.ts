import { reportUnderrun } from '#web/audio/sound-choice.ts';
import { createResourceScope } from '#web/api/resource-scope.ts';
import type { PlayerClock, PlayerAudio, PlayerEnvironment } from './player-environment.ts';
import type { SoundFailure } from './player-reducer.ts';

/** Audio events that no command requested. */
export type ResilientAudioEvent = 'length-known' | 'ended' | 'interrupted' | 'failing' | 'failed';

type Options = {
  address: string;
  /** Duration measured by the server, in whole seconds; null if unknown. */
  duration: number | null;
  rate: number;
  volume: number;
  environment: Pick<PlayerEnvironment, 'clock' | 'connection' | 'checkFile'>;
  onEvent(event: ResilientAudioEvent): void;
  /** Called when the audio's state may have changed, but not as its position advances. */
  onChange(): void;
  /** Called about four times a second during playback. */
  onTime(): void;
};

export type ResilientAudio = ReturnType<typeof createResilientAudio>;

/** Value of MediaError.MEDIA_ERR_NETWORK, repeated here because MediaError does not exist in tests. */
const NETWORK_ERROR = 2;
const HAVE_FUTURE_DATA = 3;
/**
 * Time without a `timeupdate` event after which audio counts as stopped. During playback, the event fires
 * four times a second.
 */
const MOVEMENT_TIMEOUT_MS = 1_000;

/**
 * Wraps an `<audio preload="none">` element so that it survives a lost connection: determines why playback
 * failed, resumes at the same position when the connection is back, and accepts commands in the meantime. Owns
 * the element and its listeners until `end`.
 */
export function createResilientAudio(element: PlayerAudio, options: Options) {
  const { address, duration, environment, onEvent, onChange, onTime } = options;
  let { rate } = options;
  const scope = createResourceScope();
  /** Whether playback was requested and has not ended since. */
  let isPlayRequested = false;
  let failure: SoundFailure | null = null;
  let hasTriedAgain = false;
  /** Position to seek to as soon as the element can seek. */
  let pendingSeek: number | null = null;
  const waitTracker = createWaitTracker(environment.clock, onChange);
  const movementTracker = createMovementTracker(environment.clock, () => {
    if (isPlayRequested && element.readyState < HAVE_FUTURE_DATA) waitTracker.begin();
    onChange();
  });

  const canSetVolume = canChangeVolume(element, options.volume);
  // Registered first, so it runs last, after all listeners are removed.
  scope.own(() => {
    element.pause();
    element.removeAttribute('src');
    element.load();
  });
  scope.own(waitTracker.end);
  scope.own(movementTracker.end);
  element.src = address;
  applyRate();
  const on = (type: string, listener: () => void) => scope.listen(element, type, listener);
  on('loadedmetadata', onLoaded);
  on('pause', onPause);
  on('ended', () => onEvent('ended'));
  on('error', () => void onError());
  on('waiting', onWaiting);
  on('playing', onPlaying);
  on('timeupdate', onTimeUpdate);
  for (const type of ['play', 'seeking', 'seeked', 'ratechange', 'durationchange', 'canplay'])
    on(type, onChange);
  scope.listen(environment.connection, 'online', () => failure === 'lost' && reload());

  // Commands

  function play(): void {
    isPlayRequested = true;
    if (failure !== null || element.readyState < HAVE_FUTURE_DATA) waitTracker.begin();
    if (failure === null) void startElement();
  }

  async function startElement(): Promise<void> {
    try {
      await element.play();
    } catch (error) {
      // Reports an interruption if the browser blocked playback because no press started it. The element's
      // `error` event reports other failures.
      if (getErrorName(error) === 'NotAllowedError' && !scope.ended) interrupt();
    }
  }

  function pause(): void {
    isPlayRequested = false;
    waitTracker.end();
    movementTracker.end();
    element.pause();
  }

  function seek(to: number): void {
    if (element.readyState === 0 || failure !== null) {
      pendingSeek = to;
      return;
    }
    // Drops a seek that was requested before the file was loaded, because this one is newer. The
    // `loadedmetadata` event that would apply the older seek may still be pending.
    pendingSeek = null;
    element.currentTime = to;
  }

  /** Retries after a lost connection, without waiting for the device to be back online. */
  function retry(): void {
    isPlayRequested = true;
    reload();
  }

  function setRate(to: number): void {
    rate = to;
    applyRate();
  }

  function applyRate(): void {
    element.preservesPitch = true;
    // Sets the default rate too, because `load()` resets the rate to it.
    element.defaultPlaybackRate = rate;
    element.playbackRate = rate;
  }

  // Events of the element

  function onLoaded(): void {
    applyRate();
    if (pendingSeek !== null && failure === null) {
      const to = pendingSeek;
      pendingSeek = null;
      if (to !== element.currentTime) element.currentTime = to;
    }
    onEvent('length-known');
  }

  /** A pause during requested playback comes from outside: unplugged headphones, or another app. */
  function onPause(): void {
    const isOurs = !isPlayRequested || !element.paused || element.ended || failure !== null || element.error;
    if (isOurs) onChange();
    else interrupt();
  }

  function interrupt(): void {
    isPlayRequested = false;
    waitTracker.end();
    onEvent('interrupted');
  }

  async function onError(): Promise<void> {
    const code = element.error?.code;
    if (code === undefined || failure === 'checking') return;
    pendingSeek = position();
    failure = 'checking';
    onEvent('failing');
    const reach = await environment.checkFile(address);
    if (scope.ended) return;
    waitTracker.end();
    if (reach === 'damaged') fail('damaged');
    else if (reach === 'gone' || reach === 'fault' || (reach === 'there' && code !== NETWORK_ERROR))
      fail('unavailable');
    else {
      failure = 'lost';
      // Reloads the file if it is reachable again, but not after a second failure in a row, to avoid an
      // endless loop. If the user has paused since, reloading is always safe, because it only clears the
      // failure.
      if (reach === 'there' && !(isPlayRequested && hasTriedAgain)) reload();
      else onChange();
    }
  }

  function fail(why: 'unavailable' | 'damaged'): void {
    failure = why;
    isPlayRequested = false;
    onEvent('failed');
  }

  function reload(): void {
    hasTriedAgain = isPlayRequested;
    pendingSeek ??= element.currentTime;
    failure = null;
    element.load();
    applyRate();
    if (isPlayRequested) play();
    onChange();
  }

  function onPlaying(): void {
    hasTriedAgain = false;
    waitTracker.end();
    onChange();
  }

  function onWaiting(): void {
    movementTracker.waitFrom(element.currentTime);
    if (!isPlayRequested) return;
    reportUnderrun(element);
    waitTracker.begin();
    onChange();
  }

  function onTimeUpdate(): void {
    if (
      element.readyState < HAVE_FUTURE_DATA &&
      !element.seeking &&
      movementTracker.isAt(element.currentTime)
    ) {
      waitTracker.end();
      onChange();
    }
    onTime();
  }

  // State

  function position(): number {
    const at = pendingSeek ?? element.currentTime;
    return Math.min(Math.max(0, at), length() || at);
  }

  /**
   * Returns the duration reported by the browser, which is more precise, or the server's if the browser has
   * none or the two differ by more than a second. Returns 0 if neither is known.
   */
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
    hasEnded: () => pendingSeek === null && element.ended,
    failure: () => failure,
    /** Returns whether the position advances, that is, whether audio is really playing. */
    isAdvancing: () =>
      isPlayRequested &&
      failure === null &&
      !element.paused &&
      !element.seeking &&
      (element.readyState >= HAVE_FUTURE_DATA || movementTracker.isSeen()),
    isWaiting: waitTracker.isShown,
    isSlow: waitTracker.isLong,
    /** False on iOS, where only the device's buttons change the volume. */
    canSetVolume,
    /** Stops playback and releases the element. This object can't be used afterwards. */
    end: scope.end,
  };
}

const SHOW_DELAY_MS = 300;
const SLOW_AFTER_MS = 8_000;

/**
 * Tracks how long audio has been loading. The player shows this after `SHOW_DELAY_MS`, and reports a slow
 * connection after `SLOW_AFTER_MS`.
 */
function createWaitTracker(clock: PlayerClock, onChange: () => void) {
  let state: 'no' | 'yes' | 'long' = 'no';
  let cancelTimers = () => {};

  function become(next: typeof state): void {
    state = next;
    onChange();
  }

  return {
    isShown: () => state !== 'no',
    isLong: () => state === 'long',
    begin(): void {
      cancelTimers();
      const endings = [
        clock.after(SHOW_DELAY_MS, () => become('yes')),
        clock.after(SLOW_AFTER_MS, () => become('long')),
      ];
      cancelTimers = () => endings.forEach((each) => each());
    },
    end(): void {
      cancelTimers();
      state = 'no';
    },
  };
}

/**
 * Tracks whether the position advances. After a seek, WebKit may report that it is waiting for data although
 * the audio plays. Only a position that advances shows that the audio plays.
 */
function createMovementTracker(clock: PlayerClock, onStop: () => void) {
  let at: number | null = null;
  let isSeen = false;
  let cancelTimer = () => {};

  function end(): void {
    cancelTimer();
    isSeen = false;
  }

  return {
    isSeen: () => isSeen,
    waitFrom(position: number): void {
      end();
      at = position;
    },
    /**
     * Records a new position.
     * @returns true the first time the position advances after the element reported that it is waiting for data
     */
    isAt(position: number): boolean {
      const wasSeen = isSeen;
      // A step back after a movement is a seek, so the audio still counts as moving.
      isSeen = at !== null && (position > at || (wasSeen && position < at));
      at = position;
      cancelTimer();
      if (!isSeen) return false;
      cancelTimer = clock.after(MOVEMENT_TIMEOUT_MS, () => {
        isSeen = false;
        onStop();
      });
      return !wasSeen;
    },
    end,
  };
}

function canChangeVolume(element: PlayerAudio, volume: number): boolean {
  element.volume = volume === 1 ? 0.5 : volume;
  const isTaken = element.volume !== 1;
  element.volume = volume;
  return isTaken;
}

const getErrorName = (error: unknown) =>
  error instanceof Error || error instanceof DOMException ? error.name : '';
