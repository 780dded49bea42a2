import { BAND_COUNT, type SoundFeatures } from './features.ts';

export const SILENT_FRAME = 0;
export const UNVOICED_FRAME = 1;
export const VOICED_FRAME = 2;

/** Classifies each frame as silent, unvoiced or voiced. */
export function classifyFrames({ frames, pitch, bands }: SoundFeatures): Uint8Array {
  const level = computeFrameLevels({ frames, bands });
  const sorted = level.slice().sort();
  const quiet = sorted[Math.floor(frames * 0.03)] ?? 0;
  const loud = sorted[Math.floor(frames * 0.9)] ?? 0;
  const unvoiced = Math.max(loud - 32, quiet + 0.3 * (loud - quiet));
  const voiced = Math.min(loud - 8, unvoiced);
  return Uint8Array.from({ length: frames }, (_, at) => {
    if (Number.isNaN(pitch[at]!)) return level[at]! < unvoiced ? SILENT_FRAME : UNVOICED_FRAME;
    return level[at]! < voiced ? SILENT_FRAME : VOICED_FRAME;
  });
}

/** Returns the loudness of each frame, in dB. */
export function computeFrameLevels({ frames, bands }: Pick<SoundFeatures, 'frames' | 'bands'>): Float32Array {
  return Float32Array.from({ length: frames }, (_, at) => {
    let power = 0;
    for (let band = 0; band < BAND_COUNT; band++) power += 10 ** (bands[at * BAND_COUNT + band]! / 10);
    return 10 * Math.log10(power);
  });
}
