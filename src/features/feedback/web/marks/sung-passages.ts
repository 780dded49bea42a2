import type { TimedLine } from '#features/melodies/timed-lines.ts';
import { parseSungLines } from '#features/lyrics/parse.ts';
import type { RecordingLines } from '#features/line-matching/contract.ts';
import { LINE_START_TOLERANCE_SECONDS } from '#features/feedback/limits.ts';
import { MIN_LINE_CONFIDENCE } from '#features/line-matching/limits.ts';
import { extendOverBreaths } from '#features/line-matching/extend-over-breaths.ts';

export type FoundRecordingLine = RecordingLines['lines'][number];

/** A line of the melody as sung in a recording. Times are in seconds from the start of the recording. */
export type SungPassage = {
  /** Stays the same when the start of the passage is corrected. */
  key: string;
  /** Index among the lines that were found. */
  at: number;
  /** The line, with its times in seconds from the start of the melody. */
  melody: TimedLine;
  start: number;
  /** End of the line, or the start of the next passage if only a breath lies between them. */
  end: number;
  /** Whether the line is certain. If false, it is a guess. */
  isSure: boolean;
};

/**
 * Returns the passages of a recording in which lines of the melody were found, in order. Omits lines that are
 * no longer in the melody.
 * @param lines the melody's timed lines
 */
export function buildSungPassages(
  melodyText: string,
  lines: readonly TimedLine[],
  found: readonly FoundRecordingLine[],
): SungPassage[] {
  const timed = new Map(lines.map((line) => [line.index, line]));
  const lineOf = new Map(
    parseSungLines(melodyText).flatMap(({ index, parts }) =>
      parts.map(({ line }) => [line, timed.get(index)] as const),
    ),
  );
  const times = new Map<number, number>();
  return extendOverBreaths(found).flatMap(({ line, start, end, sure }, at) => {
    const time = (times.get(line) ?? 0) + 1;
    times.set(line, time);
    const sungLine = lineOf.get(line);
    return sungLine
      ? [{ key: `${line} ${time}`, at, melody: sungLine, start, end, isSure: sure >= MIN_LINE_CONFIDENCE }]
      : [];
  });
}

/**
 * Returns the passage at `seconds` into the recording, even if its line is uncertain; null if no line is known
 * there.
 */
export const findPassageAt = (passages: readonly SungPassage[], seconds: number) =>
  passages.findLast(({ start, end }) => start <= seconds && seconds < end) ?? null;

/** Tolerance at both ends of a passage, so that a passage played to its end is still the current one. */
const PASSAGE_TOLERANCE_SECONDS = 0.5;

/**
 * Returns the chosen passage while playback is limited to it (even past its end, because a busy page may stop
 * playback late), or while the position is within PASSAGE_TOLERANCE_SECONDS of it. Otherwise, returns the
 * passage at the position.
 */
export function getCurrentPassage(
  passages: readonly SungPassage[],
  seconds: number,
  chosen: { key: string | null; isPlayed: boolean },
): SungPassage | null {
  const chosenPassage = passages.find(({ key }) => key === chosen.key);
  const isAround =
    chosenPassage &&
    seconds > chosenPassage.start - PASSAGE_TOLERANCE_SECONDS &&
    seconds < chosenPassage.end + PASSAGE_TOLERANCE_SECONDS;
  return chosenPassage && (chosen.isPlayed || isAround) ? chosenPassage : findPassageAt(passages, seconds);
}

/**
 * Returns the passage that a mark is about; null if there is none whose line is certain. For a mark without
 * an end, this is the passage that begins within LINE_START_TOLERANCE_SECONDS after the mark or, if there is
 * none, the passage at the mark. For a mark with an end, it is the passage that covers at least half of the
 * mark.
 */
export function findPassageOfMark(
  { start, end }: { start: number; end: number | null },
  passages: readonly SungPassage[],
): SungPassage | null {
  const known = passages.filter(({ isSure }) => isSure);
  if (end === null) {
    const begins = known.find(
      (each) => each.start > start && each.start <= start + LINE_START_TOLERANCE_SECONDS,
    );
    return begins ?? findPassageAt(known, start);
  }
  const shareOf = (each: SungPassage) => Math.min(end, each.end) - Math.max(start, each.start);
  const most = known.reduce<SungPassage | null>(
    (best, each) => (shareOf(each) > (best ? shareOf(best) : 0) ? each : best),
    null,
  );
  return most && shareOf(most) >= (end - start) / 2 ? most : null;
}
