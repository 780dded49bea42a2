import { sungLinesOf } from '#features/lyrics/parse.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { wordsOf } from '#features/lyrics/parse.ts';
import { passagesOf } from '#features/lyrics/timings.ts';

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

/** A line of a melody with the stretch of its audio in which it is sung, in seconds. */
export type TimedLine = {
  /** Index of the sung line in the text, from 0. */
  index: number;
  words: string;
  start: number;
  end: number;
};
