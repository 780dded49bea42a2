import { SILENT_FRAME } from './activity.ts';
import { createSeededRandom } from './random.ts';

/** Number of frames of the other recording that each frame is compared with. */
const PAIRS_PER_FRAME = 80;

/**
 * Returns, for each frame, how far its mean log-likelihood ratio with frames of the other recording is above
 * the average of all frames. The caller subtracts this, because a frame that resembles everything carries no
 * information. Without the correction, a hummed recording would match wherever the melody sounds most like
 * humming.
 */
export function computeHubness(
  ratioOf: (m: number, t: number) => number,
  melody: Uint8Array,
  take: Uint8Array,
) {
  const [melodySounds, takeSounds] = [findSoundingFrames(melody), findSoundingFrames(take)];
  const random = createSeededRandom(2);
  const computeMeans = (
    activity: Uint8Array,
    others: Int32Array,
    ratio: (one: number, other: number) => number,
  ) => {
    const means = new Float32Array(activity.length);
    if (others.length === 0) return means;
    const some = Int32Array.from(
      { length: PAIRS_PER_FRAME },
      () => others[Math.floor(random() * others.length)]!,
    );
    let sum = 0;
    let count = 0;
    for (let at = 0; at < activity.length; at++) {
      if (activity[at] === SILENT_FRAME) continue;
      let total = 0;
      for (const other of some) total += ratio(at, other);
      means[at] = total / PAIRS_PER_FRAME;
      sum += means[at]!;
      count++;
    }
    for (let at = 0; at < activity.length; at++)
      means[at] = activity[at] === SILENT_FRAME ? 0 : means[at]! - sum / count;
    return means;
  };
  return {
    ofMelody: computeMeans(melody, takeSounds, ratioOf),
    ofTake: computeMeans(take, melodySounds, (t, m) => ratioOf(m, t)),
  };
}

const findSoundingFrames = (activity: Uint8Array) =>
  Int32Array.from(activity.keys()).filter((at) => activity[at] !== SILENT_FRAME);
