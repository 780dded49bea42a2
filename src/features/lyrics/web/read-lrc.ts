import { formatDurationInWords } from '#web/ui/format-duration.ts';
import { readLrcText } from '../lrc.ts';

/**
 * Maximum file size in bytes: several times the size of a 200,000-character text with a time stamp before each
 * word.
 */
const MAX_LRC_BYTES = 4_000_000;

const TOO_LARGE = 'This file is too large for a timing file.';
const UNREADABLE = 'This file could not be read.';
const NOT_UTF8 =
  'It has an older text format. In your text editor, save it with the encoding “UTF-8”, then choose it again.';
export const LRC_WITHOUT_TIMES_MESSAGE = 'It has no times. Each line should start like [00:12.50].';
export const LRC_WORDS_MISMATCH_MESSAGE = 'Most of its words aren’t in this melody.';
/** @param seconds duration of the melody */
export const getTimesAfterEndMessage = (seconds: number) =>
  `Some of its times are after the end of this melody, which is ${formatDurationInWords(seconds)} long.`;

/** Returns the text of a chosen LRC file, or the reason why the file is rejected. */
export async function readLrcFile(file: File): Promise<{ text: string } | { refusal: string }> {
  if (file.size > MAX_LRC_BYTES) return { refusal: TOO_LARGE };
  // Reading fails if the file has been moved or deleted since it was chosen.
  const text = await readLrcText(file).catch(() => undefined);
  if (text === undefined) return { refusal: UNREADABLE };
  return text === null ? { refusal: NOT_UTF8 } : { text };
}

export type LrcOutcomeMessage = { tone: 'success' | 'amber' | 'danger'; title: string; rest?: string };

/**
 * Describes the result of an import.
 * @param timed number of lines with a time
 * @param all number of lines
 * @param left words that matched no line
 */
export function describeLrcOutcome(timed: number, all: number, left: readonly string[]): LrcOutcomeMessage {
  const some = left.slice(0, 3).map((words) => `“${words}”`);
  const rest = left.length > 3 ? ` and ${left.length - 3} more` : '';
  return {
    tone: left.length > 0 || timed < all ? 'amber' : 'success',
    title: `${timed} of ${all} lines are timed.`,
    ...(left.length > 0 && { rest: `These words aren’t in the melody: ${some.join(', ')}${rest}.` }),
  };
}
