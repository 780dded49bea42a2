import { timedLinesOf, type TimedLine } from '#features/melodies/timed-lines.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { sungLinesOf } from '#features/lyrics/parse.ts';
import type { RecordingLines } from '../contract.ts';
import { SURE } from '../limits.ts';
import { withBreath } from '../with-breath.ts';

/** In seconds of a sound. */
export type LinePassage = { start: number; end: number };

/** A line of a melody that can be heard by itself, in its audio. */
export type MelodyLine = TimedLine & {
  /** As in `timings`: the number of a typed line, from 0. */
  line: number;
};

/** The lines of a melody that can be heard by themselves, in the order in which they are sung. */
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

/** Passages by line. Of a line that is sung twice, the last, which is how it was meant. */
export const passagesByLine = (
  lines: readonly (LinePassage & { line: number })[],
): ReadonlyMap<number, LinePassage> =>
  new Map(lines.map(({ line, start, end }) => [line, { start, end }] as const));

/** Where lines are sung in a recording: those that are no guess. */
export const surePassages = (lines: RecordingLines['lines']) =>
  passagesByLine(withBreath(lines).filter(({ sure }) => sure >= SURE));
