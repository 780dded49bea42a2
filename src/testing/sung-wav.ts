import { RATE } from './singing.ts';
import { wavFile } from './tone.ts';

/** A performance as a file, as loud as it can be. */
export function sungWav(sound: Float32Array): Buffer {
  const loudest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return wavFile(
    sound.length / RATE,
    RATE,
    (second) => (20_000 * (sound[Math.round(second * RATE)] ?? 0)) / loudest,
  );
}
