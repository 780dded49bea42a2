import { FeatureExtractor, type SoundFeatures } from '#features/line-matching/alignment/features.ts';
import {
  MAX_INTERACTIVE_MATRIX_CELLS,
  findLines,
  type FoundLine,
} from '#features/line-matching/alignment/find-lines.ts';
import type { LineStart } from '#features/line-matching/alignment/melody-model.ts';
import { compareContours, type ComparedContours } from '../pitch/compare-contours.ts';

/** A request to the worker. Only one request may be pending. */
export type AlignmentRequest =
  /** The next chunk of audio, by channel. */
  | { type: 'hear'; rate: number; channels: readonly Float32Array<ArrayBuffer>[] }
  /** The audio has ended. The reply contains its features. */
  | { type: 'end' }
  | { type: 'find'; melody: SoundFeatures; starts: readonly LineStart[]; take: SoundFeatures }
  /** Compares one line of the melody with the same line of the take. */
  | { type: 'compare'; melody: SoundFeatures; take: SoundFeatures; syllables: number };

export type AlignmentReply =
  | { type: 'heard' }
  | { type: 'features'; features: SoundFeatures }
  | { type: 'lines'; lines: FoundLine[] }
  | { type: 'contours'; contours: ComparedContours | null };

/** Progress from 0 to 1, sent before the reply. */
export type AlignmentProgress = { type: 'progress'; fraction: number };

/**
 * Creates the handler of the worker's requests. It doesn't depend on worker globals, so that tests can call it
 * directly.
 */
export function createAlignmentHandler(onProgress: (progress: AlignmentProgress) => void) {
  let extractor: FeatureExtractor | null = null;

  function addSamples(rate: number, channels: readonly Float32Array[]): AlignmentReply {
    extractor ??= new FeatureExtractor(rate);
    extractor.add(mixToMono(channels));
    return { type: 'heard' };
  }

  function end(): AlignmentReply {
    const features = extractor?.end() ?? { frames: 0, pitch: new Float32Array(), bands: new Float32Array() };
    extractor = null;
    return { type: 'features', features };
  }

  return (request: AlignmentRequest): AlignmentReply => {
    switch (request.type) {
      case 'hear':
        return addSamples(request.rate, request.channels);
      case 'end':
        return end();
      case 'find': {
        const { melody, starts, take } = request;
        const lines = findLines(melody, starts, take, {
          onProgress: (fraction) => onProgress({ type: 'progress', fraction }),
          cells: MAX_INTERACTIVE_MATRIX_CELLS,
        });
        return { type: 'lines', lines };
      }
      case 'compare':
        return {
          type: 'contours',
          contours: compareContours(request.melody, request.take, request.syllables),
        };
    }
  };
}

function mixToMono([first, ...others]: readonly Float32Array[]): Float32Array {
  if (!first || others.length === 0) return first ?? new Float32Array();
  const mixed = first.slice();
  for (const channel of others) for (let at = 0; at < mixed.length; at++) mixed[at]! += channel[at]!;
  return mixed.map((sample) => sample / (others.length + 1));
}
