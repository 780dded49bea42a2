/** A pause shorter than this before the next line is a breath, which belongs to the line. */
const BREATH_SECONDS = 2;

/**
 * Extends each line to the start of the next if only a breath lies between them.
 * @param lines in the order in which they are sung
 */
export const extendOverBreaths = <Line extends { start: number; end: number }>(
  lines: readonly Line[],
): Line[] =>
  lines.map((line, at) => {
    const next = lines[at + 1]?.start ?? Infinity;
    return next - line.end < BREATH_SECONDS ? { ...line, end: next } : line;
  });
