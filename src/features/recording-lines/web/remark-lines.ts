import { lineAt } from '../../feedback/web/marks/mark-lines.ts';
import type { Mark } from '../../feedback/contract.ts';
import type { RecordingLines } from '../contract.ts';
import { SURE } from '../limits.ts';
import type { MelodyLine } from './passages.ts';

/** A mark is often set a moment before what it is about. */
const BEFORE_SECONDS = 0.3;

/**
 * The line of a mark: the one that it lies in longest, as found in the recording; else the one that the teacher chose.
 * Null if there is neither, or the teacher chose none.
 */
export function lineOfRemark(
  { start, end, melodyAt }: Pick<Mark, 'start' | 'end' | 'melodyAt'>,
  found: RecordingLines['lines'],
  lines: readonly MelodyLine[],
): number | null {
  if (melodyAt === null) return null;
  // A moment is short, but no nothing.
  const last = Math.max(end ?? start, start + 0.01);
  let [line, longest]: [number | null, number] = [null, 0];
  for (const sung of found) {
    if (sung.sure < SURE) continue;
    const inside = Math.min(last, sung.end) - Math.max(start, sung.start);
    if (inside > longest) [line, longest] = [sung.line, inside];
  }
  line ??=
    found.find(({ start: at, sure }) => sure >= SURE && at >= start && at - start <= BEFORE_SECONDS)?.line ??
    null;
  if (line !== null || melodyAt === undefined) return line;
  return lineAt(lines, melodyAt)?.line ?? null;
}

/** The marks at each line, in their order. */
export function remarksByLine<M extends Mark>(
  marks: readonly M[],
  found: RecordingLines['lines'],
  lines: readonly MelodyLine[],
): ReadonlyMap<number, readonly M[]> {
  const byLine = new Map<number, M[]>();
  for (const mark of marks) {
    const line = lineOfRemark(mark, found, lines);
    if (line !== null) byLine.set(line, [...(byLine.get(line) ?? []), mark]);
  }
  return byLine;
}
