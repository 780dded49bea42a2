import type { Features } from '#features/line-matching/alignment/features.ts';
import type { AnySound } from './decode-sound.ts';

/** Each is about 250 kB for a minute. */
const KEPT = 4;

/** Of sounds that were listened to whole, while the page lives; the last one last. */
const kept = new Map<AnySound, Features>();

export function keptFeatures(sound: AnySound): Features | null {
  const features = kept.get(sound);
  if (features) keepFeatures(sound, features);
  return features ?? null;
}

export function keepFeatures(sound: AnySound, features: Features) {
  kept.delete(sound);
  kept.set(sound, features);
  for (const [oldest] of kept) {
    if (kept.size <= KEPT) return;
    kept.delete(oldest);
  }
}
