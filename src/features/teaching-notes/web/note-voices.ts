import { onePlaying } from '#web/audio/playback.ts';
import { createStore } from '#web/store.ts';

/** The melody that the voices interrupt. */
export type InterruptedMelody = { isOn(): boolean; pause(): void; play(): void };

export type VoicesHeard = {
  /** The file that sounds: a note's voice, or a student's passage; null for none. */
  name: string | null;
  /** The one that could not be played when it was last pressed. */
  failed: string | null;
};

export type NoteVoices = ReturnType<typeof createNoteVoices>;

type Environment = { newAudio: () => HTMLAudioElement; playing: typeof onePlaying };

const SILENT: VoicesHeard = { name: null, failed: null };

/**
 * Plays the voices of teaching notes, and the passages with them, one at a time. A melody that plays is paused, and goes on once the voice has ended,
 * was stopped by its own button or could not be had; not if something else took the voice's place.
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

  /** Made during a press, without which phones let nothing sound. */
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
        // One that comes to its end pauses first. All else that pauses it is not ours, and the melody stays paused.
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

    /** Plays a voice or a passage; once more stops it. Must be called during the press. */
    press(name: string, src: string) {
      if (heard.get().name === name) return stop();
      wasOn = heard.get().name === null ? (melody?.isOn() ?? false) : wasOn;
      melody?.pause();
      audio ??= prepared();
      // Not as if something else had stopped the one before.
      heard.set(SILENT);
      if (audio.getAttribute('src') === src) audio.currentTime = 0;
      else audio.setAttribute('src', src);
      heard.set({ name, failed: null });
      audio.play().catch((failure: unknown) => {
        const isOurs = failure instanceof DOMException && failure.name === 'AbortError';
        if (!isOurs && heard.get().name === name) finish(name);
      });
    },

    /** Ends the voice, after which the melody goes on. */
    stop,

    /** Ends the voice with what is left of it, and fetches nothing more. */
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
