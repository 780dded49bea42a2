import { playPassage } from '../../../../platform/web/audio/passage.ts';
import { onePlaying, type Playable } from '../../../../platform/web/audio/playback.ts';
import type { Mark } from '../../contract.ts';
import { passageOf } from './mark-times.ts';

/** A line of the melody as its library gives it to this listener. */
export type MelodyLine = {
  words: string;
  start: number;
  end: number;
  /** Address of the melody's audio. */
  src: string;
};

/** The line that belongs to a second of the melody; null where there is none, or none that one may hear. */
export type FindLine = (melodyAt: number) => Promise<MelodyLine | null>;

export type HeardMark = {
  /** The mark that was pressed last. */
  index: number | null;
  /** 'line on its way': the passage is over, and the library has not answered yet. */
  sounds: 'nothing' | 'recording' | 'line on its way' | 'melody';
  /** Its line of the melody, once that is known. */
  line: MelodyLine | null;
  /** The browser would not go on to the melody by itself, or could not load it. */
  isRefused: boolean;
};

type Environment = { newAudio: () => HTMLAudioElement; playing: typeof onePlaying };

const NOTHING: HeardMark = { index: null, sounds: 'nothing', line: null, isRefused: false };

/**
 * Plays a mark's passage of a recording and then, by itself, the same line of the melody. The melody has an element of
 * its own, made at the first press; nothing of it is fetched before.
 */
export function createMarkPlayer({ newAudio, playing }: Environment = inBrowser) {
  const listeners = new Set<() => void>();
  let state = NOTHING;
  let recording: HTMLAudioElement | null = null;
  let melody: HTMLAudioElement | null = null;
  let finding: Promise<MelodyLine | null> | null = null;
  let leavePassage = () => {};
  let leaves: (() => void)[] = [];
  // Counts what one asked for, so that an answer to something earlier is not taken for it.
  let turn = 0;

  function show(part: Partial<HeardMark>) {
    state = { ...state, ...part };
    for (const listener of [...listeners]) listener();
  }

  /** While the line is on its way there is no sound that another one could stop, but there would be one later. */
  const waiting: Playable = new (class extends EventTarget {
    get paused() {
      return state.sounds !== 'line on its way';
    }
    pause = () => stop();
  })();

  function stop() {
    turn += 1;
    leavePassage();
    if (state.sounds === 'recording') recording?.pause();
    if (state.sounds === 'melody') melody?.pause();
    show({ sounds: 'nothing' });
  }

  /** A browser that lets sound begin only with a press has to see this element in it; without an address nothing is fetched. */
  function prepareMelody() {
    if (melody) return;
    melody = newAudio();
    melody.preload = 'none';
    melody.load();
    leaves.push(playing.join(melody), playing.join(waiting));
  }

  function playLine(line: MelodyLine) {
    if (!melody) return;
    // Set once: to set it again would load it again.
    if (melody.getAttribute('src') !== line.src) melody.setAttribute('src', line.src);
    show({ sounds: 'melody', isRefused: false });
    leavePassage();
    leavePassage = playPassage(melody, line, {
      onEnd: () => show({ sounds: 'nothing' }),
      onLeft: (failure) => show({ sounds: 'nothing', isRefused: isFailure(failure) }),
    });
  }

  function goOn() {
    if (!finding) return show({ sounds: 'nothing' });
    const mine = turn;
    show({ sounds: 'line on its way' });
    void finding.then((line) => {
      if (mine !== turn || state.sounds !== 'line on its way') return;
      if (line) playLine(line);
      else show({ sounds: 'nothing' });
    });
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => state,

    /** The element with the recording; null when it leaves the page, and then all is over. */
    take(audio: HTMLAudioElement | null) {
      recording = audio;
      if (audio) return;
      stop();
      for (const leave of leaves) leave();
      leaves = [];
      melody?.removeAttribute('src');
      melody = null;
    },

    /** Plays a mark; the same one again while it sounds stops it. Call it within the press. */
    press(index: number, mark: Pick<Mark, 'start' | 'end' | 'melodyAt'>, findLine: FindLine | null) {
      if (!recording) return;
      if (state.index === index && state.sounds !== 'nothing') return stop();
      turn += 1;
      const mine = turn;
      leavePassage();
      if (state.sounds === 'melody') melody?.pause();
      show({ ...NOTHING, index, sounds: 'recording' });
      finding = null;
      if (findLine && typeof mark.melodyAt === 'number') {
        prepareMelody();
        finding = findLine(mark.melodyAt).catch(() => null);
        void finding.then((line) => mine === turn && show({ line }));
      }
      leavePassage = playPassage(recording, passageOf(mark), {
        onEnd: goOn,
        onLeft: () => show({ sounds: 'nothing' }),
      });
    },

    /** The line alone, by a press. */
    pressLine() {
      turn += 1;
      if (state.line) playLine(state.line);
    },

    stop,
  };
}

/** Who pauses before the first sound ends the promise of it; that is no failure. */
const isFailure = (failure: unknown) =>
  failure !== undefined && !(failure instanceof DOMException && failure.name === 'AbortError');

const inBrowser: Environment = { newAudio: () => new Audio(), playing: onePlaying };
