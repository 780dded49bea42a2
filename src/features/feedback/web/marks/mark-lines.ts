import type { Mark } from '#features/feedback/contract.ts';
import { findPassageOfMark, type SungPassage } from './sung-passages.ts';
import { type TimedLine } from '#features/melodies/timed-lines.ts';
import { LINE_START_TOLERANCE_SECONDS } from '#features/feedback/limits.ts';

export type { TimedLine };

/**
 * Returns the line that is sung at `seconds` into the melody, or begins at most LINE_START_TOLERANCE_SECONDS
 * later; null if there is none.
 */
export function findLineAt<L extends { start: number; end: number }>(
  lines: readonly L[],
  seconds: number,
): L | null {
  const line =
    lines.find(({ start }) => start === seconds) ??
    lines.findLast(({ start }) => start <= seconds + LINE_START_TOLERANCE_SECONDS);
  return line && seconds <= line.end ? line : null;
}

const NONE: readonly never[] = [];

/**
 * Estimates the position of a mark in the melody, in seconds. Assumes that the student has kept the melody's
 * tempo since the nearest earlier anchor: a mark with a chosen line, or a line that was found with certainty
 * in the recording. Without an anchor, returns the mark's own time in the recording.
 */
export function estimateMelodyTime(
  { start }: Pick<Mark, 'start'>,
  marks: readonly Mark[],
  sung: readonly SungPassage[] = NONE,
): number {
  let [from, to] = [0, 0];
  let isAnchored = false;
  const found = sung
    .filter(({ isSure }) => isSure)
    .map((passage) => ({ start: passage.start, melodyAt: passage.melody.start }));
  for (const { start: at, melodyAt } of [...found, ...marks]) {
    if (typeof melodyAt !== 'number' || at > start || (isAnchored && at < from)) continue;
    [from, to, isAnchored] = [at, melodyAt, true];
  }
  return to + start - from;
}

/** Time after the start of a line within which stepping back goes to the previous line. */
const LINE_START_WINDOW_SECONDS = 1;

/** Like {@link findAdjacentLineStart}, but for the lines that were found in the recording and are certain. */
export function findAdjacentPassageStart(
  seconds: number,
  step: 1 | -1,
  sung: readonly SungPassage[],
): number | null {
  const beginnings = sung.flatMap(({ start, isSure }) => (isSure ? [start] : []));
  return (
    (step === 1
      ? beginnings.find((start) => start > seconds + LINE_START_TOLERANCE_SECONDS)
      : beginnings.findLast((start) => start < seconds - LINE_START_WINDOW_SECONDS)) ?? null
  );
}

/**
 * Returns the estimated start of the next line, in seconds from the start of the recording. If `step` is -1,
 * returns the start of the current line, or of the previous line if the current line has just begun. Returns
 * null if there is no such line.
 */
export function findAdjacentLineStart(
  seconds: number,
  step: 1 | -1,
  marks: readonly Mark[],
  lines: readonly TimedLine[],
): number | null {
  const here = estimateMelodyTime({ start: seconds }, marks);
  const beginnings = lines.map(({ start }) => start);
  const target =
    step === 1
      ? beginnings.find((start) => start > here + LINE_START_TOLERANCE_SECONDS)
      : beginnings.findLast((start) => start < here - LINE_START_WINDOW_SECONDS);
  return target === undefined ? null : Math.max(0, seconds + target - here);
}

/**
 * Returns the line of a mark: the chosen line, otherwise the line that was found at the mark, otherwise a
 * guess. Returns null if the mark is at no line.
 * @param sung lines found in the recording
 */
export function findLineOfMark(
  mark: Mark,
  marks: readonly Mark[],
  lines: readonly TimedLine[],
  sung: readonly SungPassage[] = NONE,
) {
  if (mark.melodyAt === null) return null;
  if (mark.melodyAt !== undefined) return findLineAt(lines, mark.melodyAt);
  return findPassageOfMark(mark, sung)?.melody ?? findLineAt(lines, estimateMelodyTime(mark, marks, sung));
}

/**
 * Returns whether the line of a mark is a guess, because nobody has chosen a line, and no line was found at the
 * mark with enough confidence.
 */
export const isMarkLineGuessed = (mark: Mark, sung: readonly SungPassage[]) =>
  mark.melodyAt === undefined && findPassageOfMark(mark, sung) === null;

/**
 * Returns the marks to send. Marks without a chosen line get the start of the suggested line, or null if they
 * are at no line. If the melody has no timed lines, all marks stay unchanged.
 */
export const addMelodyTimes = (
  marks: readonly Mark[],
  lines: readonly TimedLine[],
  sung: readonly SungPassage[] = NONE,
): Mark[] =>
  marks.map((mark) =>
    mark.melodyAt !== undefined || lines.length === 0
      ? mark
      : { ...mark, melodyAt: findLineOfMark(mark, marks, lines, sung)?.start ?? null },
  );

/** Maximum length of a shortened line, in characters: enough to recognize the line. */
const MAX_SHORT_CHARACTERS = 56;

/**
 * Splits words into characters. Firefox supports Intl.Segmenter from version 125. Without it, a Tibetan stack
 * may be cut in the middle.
 */
const splitCharacters = (words: string) =>
  'Segmenter' in Intl
    ? Array.from(new Intl.Segmenter().segment(words), ({ segment }) => segment)
    : Array.from(words);

/** Truncates words at a character boundary. In Tibetan, a character can be a stack of several code points. */
export function truncateWords(words: string): string {
  if (words.length <= MAX_SHORT_CHARACTERS) return words;
  const characters = splitCharacters(words);
  return characters.length <= MAX_SHORT_CHARACTERS
    ? words
    : `${characters
        .slice(0, MAX_SHORT_CHARACTERS - 1)
        .join('')
        .trimEnd()}…`;
}
