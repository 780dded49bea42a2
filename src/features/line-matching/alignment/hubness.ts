import { SILENT } from './activity.ts';
import { randomNumbers } from './random-numbers.ts';

/** Number of frames of the other sound that each frame is compared with. */
const PAIRS_EACH = 80;

/**
 * Returns how much each frame's mean ratio with frames of the other sound exceeds the average. A frame that resembles
 * everything carries no information: without this correction, a hum would be found wherever the melody hums most.
 */
export function hubness(ratioOf: (m: number, t: number) => number, melody: Uint8Array, take: Uint8Array) {
  const [melodySounds, takeSounds] = [sounding(melody), sounding(take)];
  const random = randomNumbers(2);
  const meansOf = (
    activity: Uint8Array,
    others: Int32Array,
    ratio: (one: number, other: number) => number,
  ) => {
    const means = new Float32Array(activity.length);
    if (others.length === 0) return means;
    const some = Int32Array.from({ length: PAIRS_EACH }, () => others[Math.floor(random() * others.length)]!);
    let sum = 0;
    let count = 0;
    for (let at = 0; at < activity.length; at++) {
      if (activity[at] === SILENT) continue;
      let total = 0;
      for (const other of some) total += ratio(at, other);
      means[at] = total / PAIRS_EACH;
      sum += means[at]!;
      count++;
    }
    for (let at = 0; at < activity.length; at++)
      means[at] = activity[at] === SILENT ? 0 : means[at]! - sum / count;
    return means;
  };
  return {
    ofMelody: meansOf(melody, takeSounds, ratioOf),
    ofTake: meansOf(take, melodySounds, (t, m) => ratioOf(m, t)),
  };
}

const sounding = (activity: Uint8Array) =>
  Int32Array.from(activity.keys()).filter((at) => activity[at] !== SILENT);
