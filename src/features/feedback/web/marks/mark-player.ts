import { playPassage } from '../../../../platform/web/audio/passage.ts';
import { onePlaying, type Playable } from '../../../../platform/web/audio/playback.ts';
import type { Mark } from '../../contract.ts';
import { passageOf } from './mark-times.ts';

/** A line of the melody, as the library returns it for this user. */
export type MelodyLine = {
  words: string;
  start: number;
  end: number;
  /** Address of the melody's audio. */
  src: string;
};

/** The line at a second of the melody; null where there is none, or none that the user may hear. */
export type FindLine = (melodyAt: number) => Promise<MelodyLine | null>;

export type HeardMark = {
  /** Index of the mark that was pressed last. */
  index: number | null;
  /** 'line on its way': the passage is over, and the library has not responded yet. */
  sounds: 'nothing' | 'recording' | 'line on its way' | 'melody';
  /** The mark's line of the melody, once it is known. */
  line: MelodyLine | null;
  /** The browser did not let the melody play without a press, or could not load it. */
  isRefused: boolean;
};

type Environment = { newAudio: () => HTMLAudioElement; playing: typeof onePlaying };

const NOTHING: HeardMark = { index: null, sounds: 'nothing', line: null, isRefused: false };

/**
 * Plays a mark's passage of a recording and then, automatically, the same line of the melody. The melody has its own
 * audio element, created at the first press; nothing of it is fetched before.
 */
export function createMarkPlayer({ newAudio, playing }: Environment = inBrowser) {
  const listeners = new Set<() => void>();
  let state = NOTHING;
  let recording: HTMLAudioElement | null = null;
  let melody: HTMLAudioElement | null = null;
  let finding: Promise<MelodyLine | null> | null = null;
  let leavePassage = () => {};
  let leaves: (() => void)[] = [];
  // Counts requests, so that the response to an earlier one is ignored.
  let turn = 0;

  function show(part: Partial<HeardMark>) {
    state = { ...state, ...part };
    for (const listener of [...listeners]) listener();
  }

  /** Lets another sound cancel a line that is still on its way and would play later. */
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

  /**
   * Where sound may begin only on a press, the element must be loaded during one; without an address, nothing is
   * fetched.
   */
  function prepareMelody() {
    if (melody) return;
    melody = newAudio();
    melody.preload = 'none';
    melody.load();
    leaves.push(playing.join(melody), playing.join(waiting));
  }

  function playLine(line: MelodyLine) {
    if (!melody) return;
    // Not set to the same address again, which would reload it.
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

    /** Sets the recording's element; null when it leaves the page, which ends all playback. */
    take(audio: HTMLAudioElement | null) {
      recording = audio;
      if (audio) return;
      stop();
      for (const leave of leaves) leave();
      leaves = [];
      melody?.removeAttribute('src');
      melody = null;
    },

    /** Plays a mark; pressing it again while it plays stops it. Must be called during the press. */
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

    /** Plays only the line; called during a press. */
    pressLine() {
      turn += 1;
      if (state.line) playLine(state.line);
    },

    stop,
  };
}

/** Pausing before playback has begun rejects its promise; that is no failure. */
const isFailure = (failure: unknown) =>
  failure !== undefined && !(failure instanceof DOMException && failure.name === 'AbortError');

const inBrowser: Environment = { newAudio: () => new Audio(), playing: onePlaying };
