import { QUANTIZATION_STEPS_PER_NAT } from './likelihood-ratios.ts';
import { FRAMES_PER_SECOND } from './features.ts';
import type { MelodyModel } from './melody-model.ts';
import { findNearestOnset, type Onset } from './onsets.ts';

/** A line that was found in the take. */
export type LineOccurrence = {
  /** Index of the line in the model. */
  index: number;
  /** In seconds from the start of the take. */
  start: number;
  end: number;
  /** Frames of the take, both inclusive. */
  from: number;
  to: number;
  /** Frames of the model, both inclusive. */
  firstPlace: number;
  lastPlace: number;
  /** Sum of the log-likelihood ratios along the line's path, in nats. */
  gain: number;
  /** False if the path begins in the middle of both a phrase and the line. */
  isBeginningKnown: boolean;
};

/** Distances, in seconds, within which the start of a line in a take snaps to an onset. */
const ONSET_TOLERANCE = { before: 0.3, after: 0.3 };
/**
 * Maximum silence, in take frames, that is skipped at the start of a line: the start moves to the next onset
 * within this distance.
 */
const MAX_LEADING_SILENCE = 20;
/**
 * Maximum number of melody frames that may be missing from the beginning of a line. If more are missing, the
 * beginning was not sung.
 */
const MAX_MISSED_FRAMES = 12;
/**
 * A short sound before a pause is taken for a breath or cough, not for the start of a line, if it covers fewer
 * than `most` melody frames and less than `share` of the line, and the pause is longer than `pause` (take
 * frames).
 */
const STRAY_SOUND = { pause: 20, most: 30, share: 0.25 };

/** Returns the lines that a path goes through, in the path's order. */
export function findOccurrences(
  places: Int32Array,
  { lines, lineOf, source }: MelodyModel,
  ratios: Int8Array,
  onsets: readonly Onset[],
  by: number,
): LineOccurrence[] {
  const found: LineOccurrence[] = [];
  let current: LineOccurrence | undefined;
  const begin = (index: number, t: number, place: number): LineOccurrence => {
    const before = found.at(-1);
    const missed = place - lines[index]!.from;
    const { start, isKnown } = findStart(onsets, {
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
    } else if ((t - current.to) * by > STRAY_SOUND.pause) {
      const sung = current.lastPlace - current.firstPlace + 1;
      if (
        sung * by < STRAY_SOUND.most &&
        sung < STRAY_SOUND.share * (lines[index]!.to - lines[index]!.from)
      ) {
        found.pop();
        current = begin(index, t, place);
        found.push(current);
      }
    }
    current.to = t;
    current.end = ((t + 1) * by) / FRAMES_PER_SECOND;
    current.lastPlace = place;
    current.gain += ratios[t * source.length + place]! / QUANTIZATION_STEPS_PER_NAT;
  });
  return found;
}

/**
 * Returns where a line starts, in frames of the take, and whether its beginning is known.
 * @param position `at`: first frame of the line's path; `missed`: number of the line's melody frames before the
 * path begins; `after`: end of the previous line
 */
function findStart(
  onsets: readonly Onset[],
  { at, missed, after }: { at: number; missed: number; after: number },
): { start: number; isKnown: boolean } {
  const expected = missed <= MAX_MISSED_FRAMES ? Math.max(0, at - missed) : at;
  const near = findNearestOnset(onsets, expected, ONSET_TOLERANCE);
  if (near) return { start: near.at, isKnown: true };
  const last = onsets.findLast((onset) => onset.at <= expected);
  // Starts the line at the last onset if the phrase began there and only its first notes were not recognized.
  if (
    missed > 0 &&
    last &&
    last.end > expected &&
    last.at >= after &&
    expected - last.at <= 2 * missed + MAX_LEADING_SILENCE / 2
  )
    return { start: last.at, isKnown: true };
  const next = onsets.find((onset) => onset.at > expected);
  if ((!last || last.end <= expected) && next && next.at - expected <= MAX_LEADING_SILENCE)
    return { start: next.at, isKnown: true };
  return { start: expected, isKnown: missed <= MAX_MISSED_FRAMES };
}
