import { playPassage } from '#web/audio/passage.ts';
import { exclusivePlayback } from '#web/audio/exclusive-playback.ts';
import { createStore } from '#web/store.ts';
import { useEffect, useState } from 'react';
import { useStopOnSpace } from '#features/feedback/web/inbox/keys/use-inbox-shortcuts.ts';
import { useStore } from '#web/use-store.ts';

/** Passage of the file `src`. `start` and `end` are in seconds. `voice` names the passage for screen readers. */
export type VoicePassage = { voice: string; src: string; start: number; end: number };

export type LinePlayback = {
  /** Id of the button whose passages are playing; null while nothing plays. */
  button: string | null;
  /** Name of the passage that is playing; null while nothing plays. */
  voice: string | null;
  /** Whether the audio is still loading. */
  isLoading: boolean;
  /** Id of the button whose audio failed to play; null if none failed. */
  failed: string | null;
};

type LinePlayerEnvironment = { newAudio: () => HTMLAudioElement; playing: typeof exclusivePlayback };

export const PLAYBACK_FAILED_MESSAGE = 'This couldn’t be played. Please try again.';

const IDLE: LinePlayback = { button: null, voice: null, isLoading: false, failed: null };

/**
 * Plays passages of several audio files in turn. Each file has its own audio element, so that no passage is
 * fetched twice. A file is fetched only when its turn comes.
 */
export function createLinePlayer({ newAudio, playing }: LinePlayerEnvironment = BROWSER_ENVIRONMENT) {
  const heard = createStore(IDLE);
  const audios = new Map<string, HTMLAudioElement>();
  const leaves: (() => void)[] = [];
  let current: HTMLAudioElement | null = null;
  let leavePassage = () => {};

  /**
   * Returns the file's audio element, creating it on the first call. That call must happen during a user
   * gesture, because some browsers block audio on an element that was not loaded during a gesture. Without a
   * `src`, `load()` fetches nothing.
   */
  function audioOf(src: string) {
    const known = audios.get(src);
    if (known) return known;
    const audio = newAudio();
    audio.preload = 'none';
    audio.load();
    audios.set(src, audio);
    leaves.push(playing.add(audio));
    return audio;
  }

  function silence() {
    leavePassage();
    current?.pause();
    current = null;
  }

  function playNext(button: string, [passage, ...rest]: readonly VoicePassage[]): void {
    if (!passage) return heard.set(IDLE);
    const { voice, src, start, end } = passage;
    const audio = audioOf(src);
    current = audio;
    // Sets the URL only if it has changed, because setting the same URL again would reload the file.
    if (audio.getAttribute('src') !== src) audio.setAttribute('src', src);
    heard.set({ button, voice, isLoading: true, failed: null });
    const listening = new AbortController();
    const onPlaying = () => heard.set({ ...heard.get(), isLoading: false });
    audio.addEventListener('playing', onPlaying, { signal: listening.signal });
    const leave = playPassage(
      audio,
      { start, end },
      {
        onEnd() {
          listening.abort();
          playNext(button, rest);
        },
        onLeft(failure) {
          listening.abort();
          const hasFailed = isPlaybackFailure(failure);
          // Pauses the element, because a failed element still counts as playing, and removes its URL, so that
          // the next press fetches the file again.
          if (hasFailed) {
            audio.pause();
            audio.removeAttribute('src');
          }
          heard.set({ ...IDLE, failed: hasFailed ? button : null });
        },
      },
    );
    leavePassage = () => {
      listening.abort();
      leave();
    };
  }

  function begin(button: string, passages: readonly VoicePassage[]) {
    for (const { src } of passages) audioOf(src);
    playNext(button, passages);
  }

  function stop() {
    silence();
    if (heard.get().button !== null) heard.set(IDLE);
  }

  return {
    subscribe: heard.subscribe,
    get: heard.get,

    /** Plays passages in turn. Must be called during a user gesture. */
    play(button: string, passages: readonly VoicePassage[]) {
      silence();
      begin(button, passages);
    },

    /**
     * Plays passages in turn, or stops playback if this button's passages are playing. Must be called during a
     * user gesture.
     */
    togglePassages(button: string, passages: readonly VoicePassage[]) {
      const isOn = heard.get().button === button;
      silence();
      if (isOn) return heard.set(IDLE);
      begin(button, passages);
    },

    stop,

    /** Stops playback and releases the audio elements. The player can be used again. */
    end() {
      stop();
      for (const leave of leaves.splice(0)) leave();
      for (const audio of audios.values()) audio.removeAttribute('src');
      audios.clear();
    },
  };
}

/**
 * Returns whether playback failed. Pausing before playback has begun rejects the `play()` promise with an
 * AbortError, which is not a failure.
 */
const isPlaybackFailure = (failure: unknown) =>
  failure !== undefined && !(failure instanceof DOMException && failure.name === 'AbortError');

const BROWSER_ENVIRONMENT: LinePlayerEnvironment = {
  newAudio: () => new Audio(),
  playing: exclusivePlayback,
};

/**
 * Creates a line player for the lifetime of the component, and returns it with its playback state. The space
 * bar stops playback while no control has focus.
 */
export function useLinePlayer() {
  const [player] = useState(() => createLinePlayer());
  const heard = useStore(player);
  useEffect(() => player.end, [player]);
  useStopOnSpace(heard.button !== null, player.stop);
  return { player, playback: heard };
}
