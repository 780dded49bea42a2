import { FeatureListener, type Features } from '#features/line-matching/alignment/features.ts';
import {
  CELLS_WHILE_ONE_WAITS,
  findLines,
  type FoundLine,
} from '#features/line-matching/alignment/find-lines.ts';
import type { LineStart } from '#features/line-matching/alignment/melody-model.ts';
import { comparedContours, type ComparedContours } from '../pitch/compared-contours.ts';

/** A request to the worker; one at a time. */
export type AlignmentRequest =
  /** The next piece of a sound, per channel. */
  | { type: 'hear'; rate: number; channels: readonly Float32Array<ArrayBuffer>[] }
  /** The sound has ended. */
  | { type: 'end' }
  | { type: 'find'; melody: Features; starts: readonly LineStart[]; take: Features }
  /** Compares one line in two sounds. */
  | { type: 'compare'; melody: Features; take: Features; syllables: number };

export type AlignmentAnswer =
  | { type: 'heard' }
  | { type: 'features'; features: Features }
  | { type: 'lines'; lines: FoundLine[] }
  | { type: 'contours'; contours: ComparedContours | null };

/** Progress from 0 to 1, before the answer. */
export type AlignmentProgress = { type: 'progress'; fraction: number };

/** Creates the handler of the worker's requests; it also runs outside a worker. */
export function createAlignmentWork(onProgress: (progress: AlignmentProgress) => void) {
  let listener: FeatureListener | null = null;

  function hear(rate: number, channels: readonly Float32Array[]): AlignmentAnswer {
    listener ??= new FeatureListener(rate);
    listener.hear(mono(channels));
    return { type: 'heard' };
  }

  function end(): AlignmentAnswer {
    const features = listener?.end() ?? { frames: 0, pitch: new Float32Array(), bands: new Float32Array() };
    listener = null;
    return { type: 'features', features };
  }

  return (request: AlignmentRequest): AlignmentAnswer => {
    switch (request.type) {
      case 'hear':
        return hear(request.rate, request.channels);
      case 'end':
        return end();
      case 'find': {
        const { melody, starts, take } = request;
        const lines = findLines(melody, starts, take, {
          onProgress: (fraction) => onProgress({ type: 'progress', fraction }),
          cells: CELLS_WHILE_ONE_WAITS,
        });
        return { type: 'lines', lines };
      }
      case 'compare':
        return {
          type: 'contours',
          contours: comparedContours(request.melody, request.take, request.syllables),
        };
    }
  };
}

function mono([first, ...others]: readonly Float32Array[]): Float32Array {
  if (!first || others.length === 0) return first ?? new Float32Array();
  const mixed = first.slice();
  for (const channel of others) for (let at = 0; at < mixed.length; at++) mixed[at]! += channel[at]!;
  return mixed.map((sample) => sample / (others.length + 1));
}
