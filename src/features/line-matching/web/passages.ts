import { getTimedLines, type TimedLine } from '#features/melodies/timed-lines.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { parseSungLines } from '#features/lyrics/parse.ts';
import type { RecordingLines } from '../contract.ts';
import { MIN_LINE_CONFIDENCE } from '../limits.ts';
import { extendOverBreaths } from '../extend-over-breaths.ts';

/** A passage of an audio file, in seconds from the start of the file. */
export type LinePassage = { start: number; end: number };

/** A line of a melody that can be played on its own, from the melody's audio. */
export type MelodyLine = TimedLine & {
  /** As in `timings`: the number of the typed line, from 0. */
  line: number;
};

/** Returns the lines of a melody that can be played on their own, in the order in which they are sung. */
export function getPlayableLines(
  melody: Pick<MelodyDetail, 'melodyText' | 'timings' | 'audioUrl' | 'duration'>,
): MelodyLine[] {
  const timed = new Set((melody.timings ?? []).map(({ line }) => line));
  const sung = parseSungLines(melody.melodyText ?? '');
  return getTimedLines(melody).flatMap((each) => {
    const line = sung[each.index]?.parts.find((part) => timed.has(part.line))?.line;
    return line === undefined ? [] : [{ ...each, line }];
  });
}

/**
 * Returns passages by line. A repeated line gets its last passage, because that is how the singer meant to sing
 * it.
 */
export const toPassagesByLine = (
  lines: readonly (LinePassage & { line: number })[],
): ReadonlyMap<number, LinePassage> =>
  new Map(lines.map(({ line, start, end }) => [line, { start, end }] as const));

/**
 * Returns the passages of a recording by line, excluding guesses. Each includes the breath after its line.
 */
export const getConfidentPassages = (lines: RecordingLines['lines']) =>
  toPassagesByLine(extendOverBreaths(lines).filter(({ sure }) => sure >= MIN_LINE_CONFIDENCE));
