/** The part of an `<audio>` element that playing a passage needs. */
export type PassageAudio = EventTarget &
  Pick<HTMLMediaElement, 'currentTime' | 'ended' | 'paused' | 'playbackRate' | 'pause' | 'play'>;

/** Maximum time before the end at which playback may stop, because timers fire slightly early or late. */
const END_TOLERANCE_SECONDS = 0.02;

/**
 * If playback is farther than this before the start, the seek was lost: some browsers ignore a seek before
 * anything is loaded.
 */
const LOST_SEEK_SECONDS = 0.5;

export type PassageCallbacks = {
  /** Called when the passage has been played to its end. */
  onEnd?: () => void;
  /**
   * Called when the passage was paused, was left by a seek, or could not be played. In the last case,
   * `failure` is the error of `play()` or the element's 'error' event. It is an AbortError if the passage was
   * paused before it began to play.
   */
  onLeft?: (failure?: unknown) => void;
};

/**
 * Plays from `start` to `end` seconds, then pauses. Seeking or pausing cancels the passage.
 * @returns a function that cancels the passage without pausing the audio or calling a callback
 */
export function playPassage(
  audio: PassageAudio,
  { start, end }: { start: number; end: number },
  { onEnd, onLeft }: PassageCallbacks = {},
): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // True until our own seek to the start has completed. Its events must not count as leaving the passage.
  let isOwnMove = true;
  let hasMovedAgain = false;

  const leave = () => {
    clearTimeout(timer);
    listening.abort();
  };
  const scheduleEnd = () => {
    clearTimeout(timer);
    const left = end - audio.currentTime;
    if (left > END_TOLERANCE_SECONDS) {
      timer = setTimeout(scheduleEnd, (left / audio.playbackRate) * 1000);
      return;
    }
    leave();
    audio.pause();
    // Returns to the end if playback has already passed it, because on a busy page the timer fires late.
    if (audio.currentTime > end) audio.currentTime = end;
    onEnd?.();
  };
  const abortPassage = (failure?: unknown) => {
    if (signal.aborted) return;
    leave();
    onLeft?.(failure);
  };

  const handleSeekedOrPlaying = () => {
    if (isOwnMove && start - audio.currentTime > LOST_SEEK_SECONDS && !hasMovedAgain) {
      hasMovedAgain = true;
      audio.currentTime = start;
      return;
    }
    isOwnMove = false;
    if (!audio.paused) scheduleEnd();
  };
  // Listens to both events, because only one may fire: 'seeked' if the audio is already playing, 'playing' if
  // it starts from the very beginning.
  audio.addEventListener('seeked', handleSeekedOrPlaying, { signal });
  audio.addEventListener('playing', handleSeekedOrPlaying, { signal });
  audio.addEventListener('ratechange', () => !isOwnMove && !audio.paused && scheduleEnd(), { signal });
  audio.addEventListener('seeking', () => !isOwnMove && abortPassage(), { signal });
  // Ignores the 'pause' that fires before 'ended' when the audio reaches its end.
  audio.addEventListener('pause', () => !isOwnMove && !audio.ended && abortPassage(), { signal });
  audio.addEventListener('ended', () => (leave(), onEnd?.()), { signal });
  audio.addEventListener('error', abortPassage, { signal });
  audio.currentTime = start;
  audio.play().catch(abortPassage);
  return leave;
}

/** Seeks to `seconds`, but not before the start. */
export function seekTo(audio: Pick<PassageAudio, 'currentTime'>, seconds: number) {
  audio.currentTime = Math.max(0, seconds);
}

/** Plays from `seconds` to the end of the audio. */
export function playFrom(audio: Pick<PassageAudio, 'currentTime' | 'play'>, seconds: number) {
  audio.currentTime = seconds;
  audio.play().catch(() => undefined);
}
