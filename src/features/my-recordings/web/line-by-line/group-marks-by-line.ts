import { isMarkLineGuessed, findLineOfMark } from '#features/feedback/web/marks/mark-lines.ts';
import type { SungPassage } from '#features/feedback/web/marks/sung-passages.ts';
import type { Mark } from '#features/feedback/contract.ts';
import type { MelodyLine } from '#features/line-matching/web/passages.ts';

/**
 * Groups marks by line, in their original order. A mark belongs to the line chosen for it, otherwise to the
 * line sung at its time. Marks without a line, or whose line is only a guess, are left out.
 * @param sung the lines found in the recording, with their times
 */
export function groupMarksByLine<M extends Mark>(
  marks: readonly M[],
  lines: readonly MelodyLine[],
  sung: readonly SungPassage[],
): ReadonlyMap<number, readonly M[]> {
  const byLine = new Map<number, M[]>();
  for (const mark of marks) {
    const index = isMarkLineGuessed(mark, sung) ? undefined : findLineOfMark(mark, marks, lines, sung)?.index;
    const line = lines.find((each) => each.index === index)?.line;
    if (line !== undefined) byLine.set(line, [...(byLine.get(line) ?? []), mark]);
  }
  return byLine;
}
