import { isLineGuessed, findLineOfMark } from '#features/feedback/web/marks/mark-lines.ts';
import type { SungPassage } from '#features/feedback/web/marks/sung-passages.ts';
import type { Mark } from '#features/feedback/contract.ts';
import type { MelodyLine } from '#features/line-matching/web/passages.ts';

/**
 * Returns the marks at each line, in order: at the line that was chosen for a mark, otherwise at the line that is
 * surely sung there.
 * @param sung where lines were found in the recording
 */
export function groupRemarksByLine<M extends Mark>(
  marks: readonly M[],
  lines: readonly MelodyLine[],
  sung: readonly SungPassage[],
): ReadonlyMap<number, readonly M[]> {
  const byLine = new Map<number, M[]>();
  for (const mark of marks) {
    const index = isLineGuessed(mark, sung) ? undefined : findLineOfMark(mark, marks, lines, sung)?.index;
    const line = lines.find((each) => each.index === index)?.line;
    if (line !== undefined) byLine.set(line, [...(byLine.get(line) ?? []), mark]);
  }
  return byLine;
}
