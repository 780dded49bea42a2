/** The part of an `<audio>` element that playing a passage needs. */
export type PassagePlayer = EventTarget &
  Pick<HTMLMediaElement, 'currentTime' | 'paused' | 'playbackRate' | 'pause' | 'play'>;

/** Close enough to the end to stop there; timers come a little early or late. */
const NEAR_SECONDS = 0.02;

/** Farther from the beginning, the move to it went unheard: some browsers forget one made before anything is loaded. */
const LOST_SECONDS = 0.5;

export type PassageEnd = {
  /** It was heard to its end. */
  onEnd?: () => void;
  /** It was paused, left for another place, or could not be played: then `failure` says why. */
  onLeft?: (failure?: unknown) => void;
};

/**
 * Plays from `start` to `end` seconds, then stops. Moving elsewhere or pausing takes the passage back.
 * @returns gives the passage up without stopping the sound, and without a word
 */
export function playPassage(
  audio: PassagePlayer,
  { start, end }: { start: number; end: number },
  { onEnd, onLeft }: PassageEnd = {},
): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Our own move to the beginning is not one away from the passage.
  let isOwnMove = true;
  let hasMovedAgain = false;

  const leave = () => {
    clearTimeout(timer);
    listening.abort();
  };
  const aim = () => {
    clearTimeout(timer);
    const left = end - audio.currentTime;
    if (left > NEAR_SECONDS) {
      timer = setTimeout(aim, (left / audio.playbackRate) * 1000);
      return;
    }
    leave();
    audio.pause();
    onEnd?.();
  };
  const lose = (failure?: unknown) => {
    if (signal.aborted) return;
    leave();
    onLeft?.(failure);
  };

  const arrive = () => {
    if (isOwnMove && start - audio.currentTime > LOST_SECONDS && !hasMovedAgain) {
      hasMovedAgain = true;
      audio.currentTime = start;
      return;
    }
    isOwnMove = false;
    if (!audio.paused) aim();
  };
  // What was playing already says 'seeked' alone; what begins at its first second says 'playing' alone.
  audio.addEventListener('seeked', arrive, { signal });
  audio.addEventListener('playing', arrive, { signal });
  audio.addEventListener('ratechange', () => !isOwnMove && !audio.paused && aim(), { signal });
  audio.addEventListener('seeking', () => !isOwnMove && lose(), { signal });
  audio.addEventListener('pause', () => !isOwnMove && lose(), { signal });
  audio.addEventListener('ended', () => (leave(), onEnd?.()), { signal });
  audio.addEventListener('error', lose, { signal });
  audio.currentTime = start;
  audio.play().catch(lose);
  return leave;
}

/** Plays on from a moment, without an end. */
export function playFrom(audio: Pick<PassagePlayer, 'currentTime' | 'play'>, seconds: number) {
  audio.currentTime = seconds;
  audio.play().catch(() => undefined);
}
