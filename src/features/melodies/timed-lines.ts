import { parseSungLines } from '#features/lyrics/parse.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { getLineWords } from '#features/lyrics/parse.ts';
import { toLineStarts } from '#features/lyrics/timings.ts';

/**
 * Added to the server's duration, which is in whole seconds, so that the last line isn't cut off. Playback
 * stops by itself if the audio ends earlier.
 */
const DURATION_ROUNDING_SECONDS = 1;

/**
 * Returns the lines that can be played on their own, ordered by time. Empty if the melody has no words, timings
 * or audio.
 */
export function getTimedLines(
  melody: Pick<MelodyDetail, 'melodyText' | 'timings' | 'audioUrl' | 'duration'>,
): TimedLine[] {
  const { melodyText, timings, audioUrl, duration } = melody;
  if (!melodyText || !timings || !audioUrl) return [];
  const lines = parseSungLines(melodyText);
  const passages = toLineStarts(lines, timings);
  let next = (duration ?? 0) + DURATION_ROUNDING_SECONDS;
  let end = next;
  return [...passages]
    .reverse()
    .flatMap(({ index, start }) => {
      // Lines with the same start get the same end: `next` changes only at an earlier start.
      if (start < next) [end, next] = [next, start];
      return end > start ? [{ index, words: getLineWords(lines[index]!), start, end }] : [];
    })
    .reverse();
}

/** Line of a melody and the part of the audio in which it is sung, in seconds. */
export type TimedLine = {
  /** Index of the sung line in the text, from 0. */
  index: number;
  words: string;
  start: number;
  end: number;
};
