import { STEPS_PER_NAT } from './chance-ratios.ts';
import { FRAMES_PER_SECOND } from './features.ts';
import type { MelodyModel } from './melody-model.ts';
import { onsetNear, type Onset } from './onsets.ts';

/** A line as it was found. */
export type Occurrence = {
  /** Of the line in the model. */
  index: number;
  /** Seconds of the take. */
  start: number;
  end: number;
  /** Frames of the take, both included. */
  from: number;
  to: number;
  /** Frames of the model, both included. */
  firstPlace: number;
  lastPlace: number;
  /** In nats. */
  gain: number;
  /** Not if its path begins in the middle of a phrase and of the line. */
  isBeginningKnown: boolean;
};

/** Seconds within which a take's line is snapped to the beginning of its sound. */
const NEARBY = { before: 0.3, after: 0.3 };
/** In frames of the take: a line whose path begins in silence begins with the sound after it. */
const SILENCE_BEFORE = 20;
/** In frames of the melody: a beginning that is left out by more, after a pause, was not sung. */
const MISSED = 12;
/** A pause in frames of the take; what was found of a line before it, in frames of the melody, is a breath or a cough. */
const STRAY = { pause: 20, most: 30, share: 0.25 };

/** The lines that a path goes through, in its order. */
export function occurrencesOf(
  places: Int32Array,
  { lines, lineOf, source }: MelodyModel,
  ratios: Int8Array,
  onsets: readonly Onset[],
  by: number,
): Occurrence[] {
  const found: Occurrence[] = [];
  let current: Occurrence | undefined;
  const begin = (index: number, t: number, place: number): Occurrence => {
    const before = found.at(-1);
    const missed = place - lines[index]!.from;
    const { start, isKnown } = startOf(onsets, {
      at: t * by,
      missed: missed * by,
      after: before ? (before.to + 1) * by : 0,
    });
    return {
      index,
      start: start / FRAMES_PER_SECOND,
      isBeginningKnown: isKnown,
      end: 0,
      from: t,
      to: t,
      firstPlace: place,
      lastPlace: place,
      gain: 0,
    };
  };
  places.forEach((place, t) => {
    if (place < 0) return;
    const index = lineOf[place]!;
    if (!current || current.index !== index || place < current.lastPlace) {
      current = begin(index, t, place);
      found.push(current);
    } else if ((t - current.to) * by > STRAY.pause) {
      const sung = current.lastPlace - current.firstPlace + 1;
      if (sung * by < STRAY.most && sung < STRAY.share * (lines[index]!.to - lines[index]!.from)) {
        found.pop();
        current = begin(index, t, place);
        found.push(current);
      }
    }
    current.to = t;
    current.end = ((t + 1) * by) / FRAMES_PER_SECOND;
    current.lastPlace = place;
    current.gain += ratios[t * source.length + place]! / STEPS_PER_NAT;
  });
  return found;
}

/**
 * Where a line begins whose path begins at a frame, in frames of the take.
 * @param missed frames of the melody that the path leaves out
 * @param after the end of the line before
 */
function startOf(
  onsets: readonly Onset[],
  { at, missed, after }: { at: number; missed: number; after: number },
): { start: number; isKnown: boolean } {
  const meant = missed <= MISSED ? Math.max(0, at - missed) : at;
  const near = onsetNear(onsets, meant, NEARBY);
  if (near) return { start: near.at, isKnown: true };
  const last = onsets.findLast((onset) => onset.at <= meant);
  // The phrase began before: its first notes were not recognized.
  if (
    missed > 0 &&
    last &&
    last.end > meant &&
    last.at >= after &&
    meant - last.at <= 2 * missed + SILENCE_BEFORE / 2
  )
    return { start: last.at, isKnown: true };
  const next = onsets.find((onset) => onset.at > meant);
  if ((!last || last.end <= meant) && next && next.at - meant <= SILENCE_BEFORE)
    return { start: next.at, isKnown: true };
  return { start: meant, isKnown: missed <= MISSED };
}
