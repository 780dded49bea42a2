import type { Mark } from '#features/feedback/contract.ts';
import { passageOfMark, type SungPassage } from './sung-passages.ts';
import { type TimedLine } from '#features/melodies/timed-lines.ts';
import { MOVED_SECONDS } from '#features/feedback/limits.ts';

export type { TimedLine };

/** The line sung at a second of the melody; null before the first one and after the end. */
export function lineAt<L extends { start: number; end: number }>(
  lines: readonly L[],
  seconds: number,
): L | null {
  const line =
    lines.find(({ start }) => start === seconds) ??
    lines.findLast(({ start }) => start <= seconds + MOVED_SECONDS);
  return line && seconds <= line.end ? line : null;
}

const NONE: readonly never[] = [];

/**
 * Estimated position of a mark in the melody, in seconds: counted from the nearest earlier mark whose line was chosen,
 * or the nearest line that was found, at the same pace; without one, the mark's own second in the recording.
 */
export function suggestedAt(
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

/** Less into a line, one wants the one before it. */
const AT_ITS_BEGINNING_SECONDS = 1;

/** The same of lines that were found in the recording. */
export function besidePassage(seconds: number, step: 1 | -1, sung: readonly SungPassage[]): number | null {
  const beginnings = sung.flatMap(({ start, isSure }) => (isSure ? [start] : []));
  return (
    (step === 1
      ? beginnings.find((start) => start > seconds + MOVED_SECONDS)
      : beginnings.findLast((start) => start < seconds - AT_ITS_BEGINNING_SECONDS)) ?? null
  );
}

/**
 * The second of the recording at which the next line begins, by the reckoning of the suggestions; or this line, or the one
 * before where this one has just begun. Null where there is none.
 */
export function besideLine(
  seconds: number,
  step: 1 | -1,
  marks: readonly Mark[],
  lines: readonly TimedLine[],
): number | null {
  const here = suggestedAt({ start: seconds }, marks);
  const beginnings = lines.map(({ start }) => start);
  const target =
    step === 1
      ? beginnings.find((start) => start > here + MOVED_SECONDS)
      : beginnings.findLast((start) => start < here - AT_ITS_BEGINNING_SECONDS);
  return target === undefined ? null : Math.max(0, seconds + target - here);
}

/**
 * The line of a mark: the chosen one, else that which is sung there, else a guess; null for none.
 * @param sung where lines were found in the recording
 */
export function lineOfMark(
  mark: Mark,
  marks: readonly Mark[],
  lines: readonly TimedLine[],
  sung: readonly SungPassage[] = NONE,
) {
  if (mark.melodyAt === null) return null;
  if (mark.melodyAt !== undefined) return lineAt(lines, mark.melodyAt);
  return passageOfMark(mark, sung)?.melody ?? lineAt(lines, suggestedAt(mark, marks, sung));
}

/** Whether nobody has chosen the line of a mark, nor is it known which one is sung there. */
export const isGuess = (mark: Mark, sung: readonly SungPassage[]) =>
  mark.melodyAt === undefined && passageOfMark(mark, sung) === null;

/** The marks as they are sent: a suggestion that was left unchanged is made explicit. */
export const withLines = (
  marks: readonly Mark[],
  lines: readonly TimedLine[],
  sung: readonly SungPassage[] = NONE,
): Mark[] =>
  marks.map((mark) =>
    mark.melodyAt !== undefined || lines.length === 0
      ? mark
      : { ...mark, melodyAt: lineOfMark(mark, marks, lines, sung)?.start ?? null },
  );

/** Enough to recognize a line by, where there is little room. */
const SHORT_CHARACTERS = 56;

/** Firefox has supported Intl.Segmenter since 125; without it, a stack may be cut in the middle. */
const charactersOf = (words: string) =>
  'Segmenter' in Intl
    ? Array.from(new Intl.Segmenter().segment(words), ({ segment }) => segment)
    : Array.from(words);

/** Words truncated at a character boundary; in Tibetan, a character is a stack of several code points. */
export function shortened(words: string): string {
  if (words.length <= SHORT_CHARACTERS) return words;
  const characters = charactersOf(words);
  return characters.length <= SHORT_CHARACTERS
    ? words
    : `${characters
        .slice(0, SHORT_CHARACTERS - 1)
        .join('')
        .trimEnd()}…`;
}
