import { BLOCK_FRAMES } from './recording-format.ts';

/** A recording's loudness problem; 'good' if there is none. */
export type Loudness = 'silent' | 'quiet' | 'clipped' | 'good';

/** Practically full scale, because resampling leaves a clipped wave slightly below it. */
const FULL_SCALE = 0.99 * 32_768;

/**
 * Share of full-scale samples above which a recording counts as clipped. Stray peaks make up a smaller share.
 */
const CLIPPED_SHARE = 0.001;

/** Number of consecutive full-scale samples that count as a flat top, heard as a crackle. */
const FLAT_TOP_SAMPLES = 4;
/** Number of flat tops from which a recording counts as clipped. */
const FLAT_TOPS = 10;

/** Peak of −54 dB of full scale, less than a waveform's lowest step. */
const SILENT_BELOW = 64;

/** Peak of −34 dB of full scale. A soft voice close by is three times as loud. */
const QUIET_BELOW = 655;

/**
 * The percentile of the block peaks that is judged, so that a single knock does not make a quiet recording
 * loud.
 */
const JUDGED_PERCENTILE = 0.9;

/** Judges a recording from its blocks as they arrive. */
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

    judge(): Loudness {
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
export function judgeLoudness(samples: Int16Array): Loudness {
  const loudness = createLoudnessMeter();
  for (let at = 0; at < samples.length; at += BLOCK_FRAMES)
    loudness.add(samples.subarray(at, at + BLOCK_FRAMES));
  return loudness.judge();
}
