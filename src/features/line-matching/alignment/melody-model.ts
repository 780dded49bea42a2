import { FRAMES_PER_SECOND, type SoundFeatures } from './features.ts';
import { classifyFrames, SILENT_FRAME } from './activity.ts';
import { findNearestOnset, findOnsets } from './onsets.ts';

export type LineStart = { line: number; start: number };

/**
 * The sung frames of a melody, line after line. Leaves out long silences, lines that are too short to be
 * recognized, and everything before the first line.
 */
export type MelodyModel = {
  /** For each frame of the model, the frame of the melody that it comes from. */
  source: Int32Array;
  /** For each frame of the model, the index of its line. */
  lineOf: Int32Array;
  lines: {
    line: number;
    /** First frame of the line. `to` is exclusive. */
    from: number;
    to: number;
  }[];
};

/** Maximum number of frames that are kept of a silence, because a pause may have any length in a take. */
const MAX_SILENT_FRAMES = 4;

/**
 * Window, in seconds, in which a line start snaps to an onset: up to `before` earlier or `after` later. `late`
 * is how late tapped times are on average.
 */
const TAP_TOLERANCE = { before: 0.6, after: 0.2, late: 0.1 };

export function createMelodyModel(features: SoundFeatures, starts: readonly LineStart[]): MelodyModel {
  const activity = classifyFrames(features);
  const end = features.frames / FRAMES_PER_SECOND;
  const sorted = starts.filter(({ start }) => start < end).sort((a, b) => a.start - b.start);
  const onsets = findOnsets(features);
  const snapped = sorted.map(({ line, start }) => {
    const onset = findNearestOnset(onsets, start * FRAMES_PER_SECOND, TAP_TOLERANCE);
    return { line, start: onset ? onset.at / FRAMES_PER_SECOND : start };
  });
  const source: number[] = [];
  const lineOf: number[] = [];
  const lines: MelodyModel['lines'] = [];
  for (const [index, { line, start }] of snapped.entries()) {
    const from = source.length;
    const first = Math.max(0, Math.round(start * FRAMES_PER_SECOND));
    const last = Math.round((snapped[index + 1]?.start ?? end) * FRAMES_PER_SECOND);
    let silent = 0;
    for (let at = first; at < Math.min(last, features.frames); at++) {
      silent = activity[at] === SILENT_FRAME ? silent + 1 : 0;
      if (silent > MAX_SILENT_FRAMES) continue;
      source.push(at);
      lineOf.push(lines.length);
    }
    // Drops a line that is too short to be recognized.
    if (source.length - from < MIN_LINE_FRAMES) {
      source.length = from;
      lineOf.length = from;
      continue;
    }
    lines.push({ line, from, to: source.length });
  }
  return { source: Int32Array.from(source), lineOf: Int32Array.from(lineOf), lines };
}
const MIN_LINE_FRAMES = 8;

/** Merges every `by` frames of the model into one. */
export function mergeModelFrames({ source, lineOf, lines }: MelodyModel, by: number): MelodyModel {
  const isFirstOfGroup = (_: number, at: number) => at % by === 0;
  return {
    source: source.filter(isFirstOfGroup),
    lineOf: lineOf.filter(isFirstOfGroup),
    lines: lines.map((line) => ({ ...line, from: Math.ceil(line.from / by), to: Math.ceil(line.to / by) })),
  };
}
