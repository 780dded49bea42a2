import { FRAMES_PER_SECOND, type SoundFeatures } from './features.ts';
import { computeFrameLevels } from './activity.ts';

/** A moment at which singing begins after a pause. */
export type Onset = {
  /** Frame of the first sound, which may be a consonant. */
  at: number;
  /** First frame after the onset that is not sung, apart from gaps as short as a consonant. */
  end: number;
  /** Length of the pause, in frames; at most MAX_PAUSE. */
  pause: number;
};

const MIN_PAUSE = 3;
const MAX_PAUSE = 15;
const MIN_SUNG_FRAMES = 4;
const MAX_CONSONANT_FRAMES = 4;
/** A sound that is this much quieter than the singing after it counts as breath. */
const BREATH_DB = 16;

export function findOnsets(features: SoundFeatures): Onset[] {
  const { frames, pitch } = features;
  const level = computeFrameLevels(features);
  const onsets: Onset[] = [];
  let pause = MAX_PAUSE;
  for (let at = 0; at < frames; at++) {
    if (Number.isNaN(pitch[at]!)) {
      pause++;
      continue;
    }
    let end = at;
    while (end < frames && !Number.isNaN(pitch[end]!)) end++;
    // Counts a few frames of pitch as part of the pause, because a breath can contain them. Singing lasts
    // longer.
    if (end - at < MIN_SUNG_FRAMES) {
      pause += end - at;
      at = end - 1;
      continue;
    }
    if (pause >= MIN_PAUSE) {
      let sung = -Infinity;
      for (let near = at; near < Math.min(end, at + 10); near++) sung = Math.max(sung, level[near]!);
      let first = at;
      while (
        first > 0 &&
        at - first < MAX_CONSONANT_FRAMES &&
        at - first < pause &&
        level[first - 1]! > sung - BREATH_DB
      )
        first--;
      onsets.push({ at: first, end, pause: Math.min(pause, MAX_PAUSE) });
    } else if (onsets.length > 0) onsets.at(-1)!.end = end;
    pause = 0;
    at = end - 1;
  }
  return onsets;
}

/**
 * Returns the onset that best matches a frame, preferring onsets that are close to the frame and follow a
 * long pause. Returns null if there is no onset up to `before` seconds before or `after` seconds after the
 * frame.
 */
export function findNearestOnset(
  onsets: readonly Onset[],
  frame: number,
  { before, after, late = 0 }: { before: number; after: number; late?: number },
): Onset | null {
  let best: Onset | null = null;
  let most = -Infinity;
  for (const onset of onsets) {
    const off = onset.at - frame;
    if (off < -before * FRAMES_PER_SECOND || off > after * FRAMES_PER_SECOND) continue;
    const score = onset.pause - 0.7 * Math.abs(off + late * FRAMES_PER_SECOND);
    if (score > most) {
      most = score;
      best = onset;
    }
  }
  return best;
}
