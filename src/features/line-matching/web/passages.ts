import { timedLinesOf, type TimedLine } from '#features/melodies/timed-lines.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { sungLinesOf } from '#features/lyrics/parse.ts';
import type { RecordingLines } from '../contract.ts';
import { SURE } from '../limits.ts';
import { withBreath } from '../with-breath.ts';

/** In seconds of a sound. */
export type LinePassage = { start: number; end: number };

/** A line of a melody that can be played on its own, from the melody's audio. */
export type MelodyLine = TimedLine & {
  /** As in `timings`: the number of the typed line, from 0. */
  line: number;
};

/** Returns the lines of a melody that can be played on their own, in the order in which they are sung. */
export function linesOfMelody(
  melody: Pick<MelodyDetail, 'melodyText' | 'timings' | 'audioUrl' | 'duration'>,
): MelodyLine[] {
  const timed = new Set((melody.timings ?? []).map(({ line }) => line));
  const sung = sungLinesOf(melody.melodyText ?? '');
  return timedLinesOf(melody).flatMap((each) => {
    const line = sung[each.index]?.parts.find((part) => timed.has(part.line))?.line;
    return line === undefined ? [] : [{ ...each, line }];
  });
}

/** Returns passages by line. For a repeated line it is the last passage, as the singer meant it. */
export const passagesByLine = (
  lines: readonly (LinePassage & { line: number })[],
): ReadonlyMap<number, LinePassage> =>
  new Map(lines.map(({ line, start, end }) => [line, { start, end }] as const));

/** Returns where lines are sung in a recording, without guesses. */
export const surePassages = (lines: RecordingLines['lines']) =>
  passagesByLine(withBreath(lines).filter(({ sure }) => sure >= SURE));
