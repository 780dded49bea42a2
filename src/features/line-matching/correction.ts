import { MIN_LINE_SECONDS } from './limits.ts';

/** A line of the melody in a recording, in seconds from the start of the recording. */
type Line = { line: number; start: number; end: number; sure: number };

/** A line whose start a teacher may have set. */
type CorrectableLine = Line & { isCorrected?: true };

/** Minimum gap between two lines that counts as a pause. */
const PAUSE_SECONDS = 0.3;

/**
 * Returns the range in which a line may start: after the start of the previous line and before the start of the
 * next line.
 * @param lines in the order in which they are sung
 * @param seconds length of the recording
 */
export const getLineStartRange = (lines: readonly Line[], at: number, seconds: number) => ({
  from: at > 0 ? lines[at - 1]!.start + MIN_LINE_SECONDS : 0,
  to: (lines[at + 1]?.start ?? seconds) - MIN_LINE_SECONDS,
});

/**
 * Moves the start of one line and marks the line as certain and corrected. The previous line then ends there,
 * unless there is a pause between the two lines. A line moved past its end extends to the next line, or to
 * the end of the recording.
 */
export function moveLineStart<L extends Line>(
  lines: readonly L[],
  at: number,
  start: number,
  seconds: number,
): (L | (L & { isCorrected: true }))[] {
  const moved = lines[at]!;
  const next = lines[at + 1]?.start ?? seconds;
  return lines.map((line, index) => {
    if (index === at - 1) {
      const isNext = Math.abs(line.end - moved.start) < PAUSE_SECONDS;
      return { ...line, end: isNext ? start : Math.min(line.end, start) };
    }
    if (index !== at) return line;
    const end = line.end >= start + MIN_LINE_SECONDS ? line.end : next;
    return { ...line, start, end, sure: 1, isCorrected: true };
  });
}

/**
 * Merges corrections into newly found lines: a correction replaces what was found in its place.
 * @param corrected in the order in which they are sung
 */
export function mergeCorrections(
  found: readonly Line[],
  corrected: readonly CorrectableLine[],
): CorrectableLine[] {
  return corrected.reduce<CorrectableLine[]>((lines, correction) => {
    const { line, start, end } = correction;
    const isSame = (other: CorrectableLine) =>
      other.line === line && !other.isCorrected && other.start < end && other.end > start;
    const same = lines.find(isSame);
    const others = lines.filter((other) => !isSame(other));
    const before = others.filter((other) => other.start < start).flatMap((other) => cutLine(other, start));
    const after = others.filter((other) => other.isCorrected || other.start >= start + MIN_LINE_SECONDS);
    const next = after.find((other) => other.start >= start)?.start ?? Infinity;
    const foundEnd = same && same.end >= start + MIN_LINE_SECONDS ? same.end : end;
    return [
      ...before,
      { ...correction, end: Math.min(foundEnd, next) },
      ...after.filter((other) => other.start >= start),
    ];
  }, found.slice());
}

/** Ends a line at `second`. Drops the line if less than half of it would be left, unless it was corrected. */
function cutLine(line: CorrectableLine, second: number): CorrectableLine[] {
  if (line.end <= second) return [line];
  const isKept = line.isCorrected || second - line.start >= (line.end - line.start) / 2;
  return isKept ? [{ ...line, end: second }] : [];
}
