import { onePlaying } from '#web/audio/playback.ts';
import { createStore } from '#web/store.ts';

/** The melody that voices interrupt. */
export type InterruptedMelody = { isOn(): boolean; pause(): void; play(): void };

export type VoicesHeard = {
  /** File being played: a note's voice or a student's passage. Null while silent. */
  name: string | null;
  /** File that failed to play when last pressed. */
  failed: string | null;
};

export type NoteVoices = ReturnType<typeof createNoteVoices>;

type Environment = { newAudio: () => HTMLAudioElement; playing: typeof onePlaying };

const SILENT: VoicesHeard = { name: null, failed: null };

/**
 * Plays teaching notes' voices and passages, one at a time. Pauses a playing melody, and resumes it once the voice
 * ends, fails or is stopped by its own button; not if something else took over.
 */
export function createNoteVoices(
  melody: InterruptedMelody | null,
  { newAudio, playing }: Environment = inBrowser,
) {
  const heard = createStore(SILENT);
  let audio: HTMLAudioElement | null = null;
  let wasOn = false;
  let release = () => {};

  function finish(failed: string | null) {
    if (heard.get().name === null) return;
    heard.set({ name: null, failed });
    if (wasOn) melody?.play();
    wasOn = false;
  }

  /** Creates the audio element. Must run during a press, because phones block sound otherwise. */
  function prepared() {
    const made = newAudio();
    made.preload = 'none';
    const leave = playing.join(made);
    const listening = new AbortController();
    const { signal } = listening;
    made.addEventListener('ended', () => finish(null), { signal });
    made.addEventListener('error', () => finish(heard.get().name), { signal });
    made.addEventListener(
      'pause',
      () => {
        // A sound that ends also pauses first. Any other pause comes from elsewhere, and the melody stays paused.
        if (!made.ended && heard.get().name !== null) heard.set(SILENT);
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
    if (heard.get().name === null) return;
    const resumes = wasOn;
    wasOn = false;
    heard.set(SILENT);
    audio?.pause();
    if (resumes) melody?.play();
  }

  return {
    subscribe: heard.subscribe,
    get: heard.get,

    /** Plays a voice or passage, or stops it if it is playing. Must be called during the press. */
    press(name: string, src: string) {
      if (heard.get().name === name) return stop();
      wasOn = heard.get().name === null ? (melody?.isOn() ?? false) : wasOn;
      melody?.pause();
      audio ??= prepared();
      // Set first, or the pause would be taken for an interruption from elsewhere.
      heard.set(SILENT);
      if (audio.getAttribute('src') === src) audio.currentTime = 0;
      else audio.setAttribute('src', src);
      heard.set({ name, failed: null });
      audio.play().catch((failure: unknown) => {
        const isOurs = failure instanceof DOMException && failure.name === 'AbortError';
        if (!isOurs && heard.get().name === name) finish(name);
      });
    },

    /** Stops the voice and resumes the melody. */
    stop,

    /** Stops the voice without resuming the melody, and releases the audio element. */
    end() {
      wasOn = false;
      heard.set(SILENT);
      release();
      audio = null;
      release = () => {};
    },
  };
}

const inBrowser: Environment = { newAudio: () => new Audio(), playing: onePlaying };
