import { exclusivePlayback } from '#web/audio/exclusive-playback.ts';
import { createStore } from '#web/store.ts';

/** The melody that voice notes interrupt. */
export type InterruptiblePlayback = { isPlaying(): boolean; pause(): void; play(): void };

export type NotePlayback = {
  /** File being played: a voice note or a student's passage. Null if nothing plays. */
  name: string | null;
  /** File that failed to play after the last press. */
  failed: string | null;
};

export type NoteVoicePlayer = ReturnType<typeof createNoteVoicePlayer>;

type Environment = { newAudio: () => HTMLAudioElement; playing: typeof exclusivePlayback };

const SILENT: NotePlayback = { name: null, failed: null };

/**
 * Creates a player for voice notes and for the passages shared next to notes. It plays one file at a time,
 * and pauses a playing melody. It resumes the melody when playback ends, fails or is stopped by its own
 * button, but not when other audio interrupts playback.
 */
export function createNoteVoicePlayer(
  melody: InterruptiblePlayback | null,
  { newAudio, playing }: Environment = inBrowser,
) {
  const playback = createStore(SILENT);
  let audio: HTMLAudioElement | null = null;
  let wasMelodyOn = false;
  let release = () => {};

  function finish(failed: string | null) {
    if (playback.get().name === null) return;
    playback.set({ name: null, failed });
    if (wasMelodyOn) melody?.play();
    wasMelodyOn = false;
  }

  /** Creates the audio element. Must be called during a user gesture, because phones block audio otherwise. */
  function createAudio() {
    const made = newAudio();
    made.preload = 'none';
    const leave = playing.add(made);
    const listening = new AbortController();
    const { signal } = listening;
    made.addEventListener('ended', () => finish(null), { signal });
    made.addEventListener('error', () => finish(playback.get().name), { signal });
    made.addEventListener(
      'pause',
      () => {
        // Marks playback as stopped and leaves the melody paused, because other audio caused the pause. Skips
        // the 'pause' event that an element fires just before it ends.
        if (!made.ended && playback.get().name !== null) playback.set(SILENT);
      },
      { signal },
    );
    release = () => {
      listening.abort();
      made.pause();
      made.removeAttribute('src');
      leave();
    };
    return made;
  }

  function stop() {
    if (playback.get().name === null) return;
    const resumes = wasMelodyOn;
    wasMelodyOn = false;
    playback.set(SILENT);
    audio?.pause();
    if (resumes) melody?.play();
  }

  return {
    subscribe: playback.subscribe,
    get: playback.get,

    /** Plays a voice note or passage, or stops it if it is playing. Must be called during a user gesture. */
    press(name: string, src: string) {
      if (playback.get().name === name) return stop();
      wasMelodyOn = playback.get().name === null ? (melody?.isPlaying() ?? false) : wasMelodyOn;
      melody?.pause();
      audio ??= createAudio();
      // Resets the state before the element changes. Otherwise, the element's 'pause' event would be taken
      // for an interruption by other audio.
      playback.set(SILENT);
      if (audio.getAttribute('src') === src) audio.currentTime = 0;
      else audio.setAttribute('src', src);
      playback.set({ name, failed: null });
      audio.play().catch((failure: unknown) => {
        const isOwnAbort = failure instanceof DOMException && failure.name === 'AbortError';
        if (!isOwnAbort && playback.get().name === name) finish(name);
      });
    },

    /** Stops playback, and resumes the melody if it was playing before. */
    stop,

    /** Stops playback without resuming the melody, and releases the audio element. */
    end() {
      wasMelodyOn = false;
      playback.set(SILENT);
      release();
      audio = null;
      release = () => {};
    },
  };
}

const inBrowser: Environment = { newAudio: () => new Audio(), playing: exclusivePlayback };
