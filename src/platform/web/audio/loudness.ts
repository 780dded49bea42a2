import { BLOCK_FRAMES } from './recording-format.ts';

/** What is wrong with how loud a recording is; 'good' when nothing is. */
export type Loudness = 'silent' | 'quiet' | 'clipped' | 'good';

/** As good as full scale: resampling leaves a cut-off wave a little below it. */
const FULL = 0.99 * 32_768;

/** A voice that is too loud for its microphone is at full scale for more of the time than a stray peak. */
const CLIPPED_SHARE = 0.001;

/** So many samples at full scale together are a flat top, which one hears as a crackle; and so many of these. */
const FLAT_TOP_SAMPLES = 4;
const FLAT_TOPS = 10;

/** Of full scale, −54 dB: less than a waveform's lowest step. */
const SILENT_BELOW = 64;

/** Of full scale, −34 dB: a soft voice close by is three times that. */
const QUIET_BELOW = 655;

/** Louder than so much of the recording: a knock at its end makes nothing loud. */
const LOUD_PART = 0.9;

/** Judges a recording by its blocks, while they come. */
export function createLoudness() {
  const blockPeaks: number[] = [];
  let samples = 0;
  let full = 0;
  let flatTops = 0;
  let run = 0;

  return {
    add(block: Int16Array) {
      let peak = 0;
      for (const sample of block) {
        const size = Math.abs(sample);
        if (size > peak) peak = size;
        if (size >= FULL) {
          full += 1;
          run += 1;
          if (run === FLAT_TOP_SAMPLES) flatTops += 1;
        } else run = 0;
      }
      samples += block.length;
      blockPeaks.push(peak);
    },

    judge(): Loudness {
      const sorted = blockPeaks.toSorted((one, other) => one - other);
      if ((sorted.at(-1) ?? 0) < SILENT_BELOW) return 'silent';
      if (full > samples * CLIPPED_SHARE || flatTops >= FLAT_TOPS) return 'clipped';
      const loudPart = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * LOUD_PART))] ?? 0;
      return loudPart < QUIET_BELOW ? 'quiet' : 'good';
    },
  };
}

/** Judges a whole recording, by blocks as they would have come. */
export function judgeLoudness(samples: Int16Array): Loudness {
  const loudness = createLoudness();
  for (let at = 0; at < samples.length; at += BLOCK_FRAMES)
    loudness.add(samples.subarray(at, at + BLOCK_FRAMES));
  return loudness.judge();
}
