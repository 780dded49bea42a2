import { useEffect, useState } from 'react';
import { exclusivePlayback } from '#web/audio/exclusive-playback.ts';
import { reportUnderrun } from '#web/audio/sound-choice.ts';

export type PlaybackState = 'still' | 'loading' | 'playing' | 'failed';

/** Title for audio that is missing or can't be loaded. */
export const AUDIO_NOT_AVAILABLE_TITLE = 'Audio Not Available';

export const AUDIO_NOT_AVAILABLE_MESSAGE = `${AUDIO_NOT_AVAILABLE_TITLE}: This audio file cannot be loaded. It may have been uploaded in a different environment.`;

export type Playback = {
  audio: HTMLAudioElement | null;
  /** The ref for the `<audio>` element. */
  audioRef: (audio: HTMLAudioElement | null) => void;
  state: PlaybackState;
};

/**
 * Returns a ref for an `<audio>` element, the element itself, and its playback state. Pauses the element when
 * another player on the page starts, and on unmount.
 */
export function usePlayback(): Playback {
  const [audio, audioRef] = useState<HTMLAudioElement | null>(null);
  const [state, setState] = useState<PlaybackState>('still');

  useEffect(() => {
    if (!audio) return;
    const listening = new AbortController();
    const on = (event: string, next: () => PlaybackState) =>
      audio.addEventListener(event, () => setState(next()), { signal: listening.signal });
    on('play', () => (audio.readyState < HTMLMediaElement.HAVE_FUTURE_DATA ? 'loading' : 'playing'));
    on('waiting', () => {
      reportUnderrun(audio);
      return audio.paused ? 'still' : 'loading';
    });
    on('playing', () => 'playing');
    on('pause', () => (audio.error ? 'failed' : 'still'));
    on('emptied', () => 'still');
    on('error', () => 'failed');
    const leave = exclusivePlayback.add(audio);
    return () => {
      listening.abort();
      leave();
      audio.pause();
    };
  }, [audio]);

  return { audio, audioRef, state };
}

/** Returns the playback position in whole seconds, so that the component renders at most once a second. */
export function usePlaybackPositionSeconds(audio: HTMLAudioElement | null): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!audio) return;
    const listening = new AbortController();
    const update = () => setSeconds(Math.floor(audio.currentTime));
    for (const event of ['timeupdate', 'seeking', 'emptied', 'ended'])
      audio.addEventListener(event, update, { signal: listening.signal });
    update();
    return () => listening.abort();
  }, [audio]);
  return seconds;
}

/** Plays or pauses. Ignores a rejected `play()`, because the element's events report a failure. */
export function togglePlayback(audio: HTMLAudioElement) {
  if (audio.paused) audio.play().catch(() => undefined);
  else audio.pause();
}
