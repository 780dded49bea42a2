import type { MelodyDetail } from '../../../melodies/contract.ts';
import { sungLinesOf, wordsOf } from '../../../melodies/sung-text/parse.ts';
import { passagesOf } from '../../../melodies/sung-text/timings.ts';
import type { Mark } from '../../contract.ts';

/** A line of a melody with the stretch of its audio in which it is sung, in seconds. */
export type TimedLine = {
  /** Index of the sung line in the text, from 0. */
  index: number;
  words: string;
  start: number;
  end: number;
};

/** A line whose time has been moved by no more than this is still the same one. */
const MOVED_SECONDS = 0.3;

/** Added to the server's length, which is in whole seconds; playback stops by itself if the sound ends earlier. */
const TO_THE_END_SECONDS = 1;

/** The lines of a melody that can be played by themselves, ordered by time; none without words, times or audio. */
export function timedLinesOf(
  melody: Pick<MelodyDetail, 'melodyText' | 'timings' | 'audioUrl' | 'duration'>,
): TimedLine[] {
  const { melodyText, timings, audioUrl, duration } = melody;
  if (!melodyText || !timings || !audioUrl) return [];
  const lines = sungLinesOf(melodyText);
  const passages = passagesOf(lines, timings);
  let next = (duration ?? 0) + TO_THE_END_SECONDS;
  let end = next;
  return [...passages]
    .reverse()
    .flatMap(({ index, start }) => {
      // Lines that begin at the same second end at the same one.
      if (start < next) [end, next] = [next, start];
      return end > start ? [{ index, words: wordsOf(lines[index]!), start, end }] : [];
    })
    .reverse();
}

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

/**
 * Estimated position of a mark in the melody, in seconds: counted from the nearest earlier mark whose line was chosen,
 * at the same pace; without one, the mark's own second in the recording.
 */
export function suggestedAt({ start }: Pick<Mark, 'start'>, marks: readonly Mark[]): number {
  let [from, to] = [0, 0];
  let isAnchored = false;
  for (const { start: at, melodyAt } of marks) {
    if (typeof melodyAt !== 'number' || at > start || (isAnchored && at < from)) continue;
    [from, to, isAnchored] = [at, melodyAt, true];
  }
  return to + start - from;
}

/** Less into a line, one wants the one before it. */
const AT_ITS_BEGINNING_SECONDS = 1;

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

/** The line of a mark: the chosen one, else the suggested one; null for none. */
export function lineOfMark(mark: Mark, marks: readonly Mark[], lines: readonly TimedLine[]) {
  if (mark.melodyAt === null) return null;
  return lineAt(lines, mark.melodyAt ?? suggestedAt(mark, marks));
}

/** The marks as they are sent: a suggestion that was left unchanged is made explicit. */
export const withLines = (marks: readonly Mark[], lines: readonly TimedLine[]): Mark[] =>
  marks.map((mark) =>
    mark.melodyAt !== undefined || lines.length === 0
      ? mark
      : { ...mark, melodyAt: lineOfMark(mark, marks, lines)?.start ?? null },
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
