import { playPassage } from '#web/audio/passage.ts';
import { exclusivePlayback, type PlayableMedia } from '#web/audio/exclusive-playback.ts';
import { createStore } from '#web/store.ts';
import type { Mark } from '#features/feedback/contract.ts';
import { getMarkPassage } from './mark-times.ts';

/** A line of the melody, as the library returns it for this user. */
export type PlayableMelodyLine = {
  words: string;
  start: number;
  end: number;
  /** URL of the melody's audio. */
  src: string;
};

/**
 * Returns the line that is sung at `melodyAt` (seconds into the melody); null if there is none. May reject if
 * the melody can't be fetched.
 */
export type MelodyLineFinder = (melodyAt: number) => Promise<PlayableMelodyLine | null>;

export type MarkPlayback = {
  /** Index of the mark that was pressed last; null if a line or passage was played on its own since then. */
  index: number | null;
  /** 'line on its way' means that the melody's line is next, but the library has not responded yet. */
  sounds: 'nothing' | 'recording' | 'voice' | 'line on its way' | 'melody';
  /** The mark's line of the melody; null until it is loaded, and if there is none. */
  line: PlayableMelodyLine | null;
  /** Audio that the browser did not play without a press, or could not load. */
  blocked: 'voice' | 'melody' | null;
};

/** URL of a mark's voice comment, and its duration in seconds. */
export type MarkVoiceSource = { src: string; seconds: number };

type Environment = { newAudio: () => HTMLAudioElement; playing: typeof exclusivePlayback };

const IDLE: MarkPlayback = { index: null, sounds: 'nothing', line: null, blocked: null };

/**
 * Added to the duration of a voice comment, which is in whole seconds, so that the end is not cut off.
 * Playback stops by itself when the audio ends.
 */
const DURATION_ROUNDING_SECONDS = 1;

/**
 * Creates a player for the marks on a recording. It plays the passage of a mark. If the mark has a voice
 * comment, it then plays the comment and the passage again. Finally, it plays the mark's line of the melody,
 * if there is one. Voice comment and melody have their own audio elements, created at the first press that
 * may need them. Each file is fetched only when its turn comes.
 */
export function createMarkPlayer({ newAudio, playing }: Environment = inBrowser) {
  const playback = createStore(IDLE);
  let recording: HTMLAudioElement | null = null;
  let voice: HTMLAudioElement | null = null;
  let melody: HTMLAudioElement | null = null;
  /** Plays the mark's voice comment, and then the rest of the sequence. */
  let playVoice = () => {};
  let finding: Promise<PlayableMelodyLine | null> | null = null;
  let stopPassage = () => {};
  let cleanups: (() => void)[] = [];
  // Identifies the latest request, so that responses to earlier requests are ignored.
  let requestId = 0;

  const show = (part: Partial<MarkPlayback>) => playback.set({ ...playback.get(), ...part });

  /** Represents a melody line that is still loading, so that other audio that starts can cancel it. */
  const waiting: PlayableMedia = new (class extends EventTarget {
    get paused() {
      return playback.get().sounds !== 'line on its way';
    }
    pause = () => stop();
  })();

  function stop() {
    requestId += 1;
    stopPassage();
    if (playback.get().sounds === 'recording') recording?.pause();
    if (playback.get().sounds === 'voice') voice?.pause();
    if (playback.get().sounds === 'melody') melody?.pause();
    show({ sounds: 'nothing' });
  }

  /**
   * Creates an audio element and calls `load`. If a browser allows audio only after a press, that call must
   * happen during the press. Without a URL, nothing is fetched.
   */
  function createAudio() {
    const audio = newAudio();
    audio.preload = 'none';
    audio.load();
    cleanups.push(playing.add(audio));
    return audio;
  }

  function prepareMelody() {
    if (melody) return;
    melody = createAudio();
    cleanups.push(playing.add(waiting));
  }

  function playFile(
    audio: HTMLAudioElement,
    which: 'voice' | 'melody',
    { src, start, end }: { src: string; start: number; end: number },
    then: () => void,
  ) {
    // Setting the same URL again would reload the audio.
    if (audio.getAttribute('src') !== src) audio.setAttribute('src', src);
    show({ sounds: which, blocked: null });
    stopPassage();
    stopPassage = playPassage(
      audio,
      { start, end },
      {
        onEnd: then,
        onLeft: (failure) => show({ sounds: 'nothing', blocked: isFailure(failure) ? which : null }),
      },
    );
  }

  function playLine(line: PlayableMelodyLine) {
    if (melody) playFile(melody, 'melody', line, () => show({ sounds: 'nothing' }));
  }

  function playLineWhenFound() {
    if (!finding) return show({ sounds: 'nothing' });
    const ownRequestId = requestId;
    show({ sounds: 'line on its way' });
    void finding.then((line) => {
      if (ownRequestId !== requestId || playback.get().sounds !== 'line on its way') return;
      if (line) playLine(line);
      else show({ sounds: 'nothing' });
    });
  }

  return {
    subscribe: playback.subscribe,
    get: playback.get,

    /**
     * Sets the recording's audio element. Null, which means that the element was removed, stops all playback.
     */
    setRecording(audio: HTMLAudioElement | null) {
      recording = audio;
      if (audio) return;
      stop();
      for (const leave of cleanups) leave();
      cleanups = [];
      voice?.removeAttribute('src');
      melody?.removeAttribute('src');
      [voice, melody] = [null, null];
    },

    /** Plays a mark, or stops it if it is already playing. Must be called during the press. */
    press(
      index: number,
      mark: Pick<Mark, 'start' | 'end' | 'melodyAt'>,
      findLine: MelodyLineFinder | null,
      voiceSource: MarkVoiceSource | null = null,
    ) {
      if (!recording) return;
      const sung = recording;
      if (playback.get().index === index && playback.get().sounds !== 'nothing') return stop();
      requestId += 1;
      const ownRequestId = requestId;
      stopPassage();
      if (playback.get().sounds === 'voice') voice?.pause();
      if (playback.get().sounds === 'melody') melody?.pause();
      show({ ...IDLE, index });
      finding = null;
      if (findLine && typeof mark.melodyAt === 'number') {
        prepareMelody();
        finding = findLine(mark.melodyAt).catch(() => null);
        void finding.then((line) => ownRequestId === requestId && show({ line }));
      }
      const playRecording = (then: () => void) => {
        show({ sounds: 'recording' });
        stopPassage();
        stopPassage = playPassage(sung, getMarkPassage(mark), {
          onEnd: then,
          onLeft: () => show({ sounds: 'nothing' }),
        });
      };
      if (!voiceSource) return playRecording(playLineWhenFound);
      voice ??= createAudio();
      const speaker = voice;
      playVoice = () =>
        playFile(
          speaker,
          'voice',
          { src: voiceSource.src, start: 0, end: voiceSource.seconds + DURATION_ROUNDING_SECONDS },
          () => playRecording(playLineWhenFound),
        );
      playRecording(() => playVoice());
    },

    /** Continues with the voice comment of the mark pressed last. Must be called during the press. */
    pressVoice: () => playVoice(),

    /**
     * Plays only the line that is sung at `melodyAt` (seconds into the melody), or stops if anything is
     * playing. Must be called during the press.
     */
    playMelodyLine(melodyAt: number, findLine: MelodyLineFinder) {
      if (playback.get().sounds !== 'nothing') return stop();
      requestId += 1;
      const ownRequestId = requestId;
      recording?.pause();
      prepareMelody();
      show(IDLE);
      finding = findLine(melodyAt).catch(() => null);
      void finding.then((line) => ownRequestId === requestId && show({ line }));
      playLineWhenFound();
    },

    /** Plays only this passage of the recording. Must be called during the press. */
    playPassage(passage: { start: number; end: number }) {
      if (!recording) return;
      requestId += 1;
      stopPassage();
      if (playback.get().sounds === 'voice') voice?.pause();
      if (playback.get().sounds === 'melody') melody?.pause();
      show({ ...IDLE, sounds: 'recording' });
      stopPassage = playPassage(recording, passage, {
        onEnd: () => show({ sounds: 'nothing' }),
        onLeft: () => show({ sounds: 'nothing' }),
      });
    },

    /** Returns whether a passage that `playPassage` started is playing, rather than the passage of a mark. */
    isPassageOn: () => playback.get().sounds === 'recording' && playback.get().index === null,

    /** Plays only the line of the mark pressed last. Must be called during the press. */
    pressLine() {
      requestId += 1;
      const { line } = playback.get();
      if (line) playLine(line);
    },

    stop,
  };
}

/**
 * Returns whether playback failed. Pausing before playback has begun also rejects the promise from `play`, but
 * is not a failure.
 */
const isFailure = (failure: unknown) =>
  failure !== undefined && !(failure instanceof DOMException && failure.name === 'AbortError');

const inBrowser: Environment = { newAudio: () => new Audio(), playing: exclusivePlayback };
