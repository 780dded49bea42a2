import { WAVEFORM_PEAK_COUNT } from './recording-format.ts';

/**
 * Returns the peak of each of 200 equal slices, as the server stores a waveform. Full scale is 255. If there
 * are fewer than 200 frames, the slices without a frame are 0.
 */
export function computePeaks(blocks: readonly Int16Array[]): Uint8Array<ArrayBuffer> {
  const frames = blocks.reduce((sum, block) => sum + block.length, 0);
  const peaks = new Uint8Array(WAVEFORM_PEAK_COUNT);
  let frame = 0;
  for (const block of blocks) {
    for (const sample of block) {
      const slice = Math.floor((frame * WAVEFORM_PEAK_COUNT) / frames);
      const peak = Math.round((Math.abs(sample) * 255) / 32_768);
      if (peak > peaks[slice]!) peaks[slice] = peak;
      frame += 1;
    }
  }
  return peaks;
}
