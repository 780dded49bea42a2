import { lrcIn } from '../lrc.ts';

/** About ten times the size of a 200,000-character text with a stamp before each word. */
const LRC_MAX_BYTES = 4_000_000;

const TOO_LARGE = 'This file is too large to be an LRC file.';
const UNREADABLE = 'This file could not be read.';
const NOT_UTF8 = 'It is not saved as UTF-8. Please save it as UTF-8 and choose it again.';
export const NO_TIMES = 'No times were found in it. Lines should begin like [00:12.50].';

/** Returns the text of a chosen LRC file, or the reason why it is refused. */
export async function readLrc(file: File): Promise<{ text: string } | { refusal: string }> {
  if (file.size > LRC_MAX_BYTES) return { refusal: TOO_LARGE };
  // It may have been moved or deleted since it was chosen.
  const text = await lrcIn(file).catch(() => undefined);
  if (text === undefined) return { refusal: UNREADABLE };
  return text === null ? { refusal: NOT_UTF8 } : { text };
}

export type LrcOutcome = { tone: 'success' | 'amber' | 'danger'; title: string; rest?: string };

/**
 * Describes the result of an import.
 * @param left words that matched no line
 */
export function outcomeOf(timed: number, all: number, left: readonly string[]): LrcOutcome {
  const some = left.slice(0, 3).map((words) => `“${words}”`);
  const rest = left.length > 3 ? ` and ${left.length - 3} more` : '';
  return {
    tone: left.length > 0 || timed < all ? 'amber' : 'success',
    title: `${timed} of ${all} lines have got a time.`,
    ...(left.length > 0 && { rest: `No line was found for ${some.join(', ')}${rest}.` }),
  };
}
