import { CAPTURE_BLOCK_FRAMES } from './recording-format.ts';

/** A recording's loudness problem; 'good' if there is none. */
export type LoudnessRating = 'silent' | 'quiet' | 'clipped' | 'good';

/**
 * Amplitude that counts as full scale: slightly less than 32,768, because resampling lowers the peaks of a
 * clipped wave.
 */
const FULL_SCALE = 0.99 * 32_768;

/**
 * A recording counts as clipped if more than this fraction of its samples are full-scale. Stray peaks make up a
 * smaller fraction.
 */
const CLIPPED_SHARE = 0.001;

/** Number of consecutive full-scale samples that count as a flat top, heard as a crackle. */
const FLAT_TOP_SAMPLES = 4;
/** A recording with at least this many flat tops counts as clipped. */
const FLAT_TOPS = 10;

/**
 * −54 dBFS as a 16-bit amplitude. A recording with a lower peak counts as silent; even the highest bar of its
 * waveform is 0.
 */
const SILENT_BELOW = 64;

/**
 * −34 dBFS as a 16-bit amplitude. A recording counts as quiet if the JUDGED_PERCENTILE of its block peaks is
 * lower. A soft voice close by is three times as loud.
 */
const QUIET_BELOW = 655;

/**
 * Percentile of the block peaks, as a fraction, by which a recording is judged to be quiet or not. The
 * maximum would not do, because a single knock would hide that the rest is quiet.
 */
const JUDGED_PERCENTILE = 0.9;

/** Creates a meter that judges a recording from its blocks as they arrive. */
export function createLoudnessMeter() {
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
        if (size >= FULL_SCALE) {
          full += 1;
          run += 1;
          if (run === FLAT_TOP_SAMPLES) flatTops += 1;
        } else run = 0;
      }
      samples += block.length;
      blockPeaks.push(peak);
    },

    judge(): LoudnessRating {
      const sorted = [...blockPeaks].sort((one, other) => one - other);
      if ((sorted.at(-1) ?? 0) < SILENT_BELOW) return 'silent';
      if (full > samples * CLIPPED_SHARE || flatTops >= FLAT_TOPS) return 'clipped';
      const loudPart =
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * JUDGED_PERCENTILE))] ?? 0;
      return loudPart < QUIET_BELOW ? 'quiet' : 'good';
    },
  };
}

/** Judges a whole recording, divided into blocks like those of the recorder. */
export function judgeLoudness(samples: Int16Array): LoudnessRating {
  const loudness = createLoudnessMeter();
  for (let at = 0; at < samples.length; at += CAPTURE_BLOCK_FRAMES)
    loudness.add(samples.subarray(at, at + CAPTURE_BLOCK_FRAMES));
  return loudness.judge();
}
