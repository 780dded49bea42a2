import type { Loop } from '#web/audio/loop.ts';
import type { PlayerSnapshot } from './engine/practice-player.ts';
import type { LoopedLines } from '#features/lyrics/web/line-loops.ts';
import { formatOrdinal } from '#features/recordings/web/attempt-name.ts';
import { formatDurationInWords, formatDurationToTenths } from '#web/ui/format-duration.ts';

export const LOOP_POINTS_ORDER_MESSAGE = 'B point must be after A point';
export const PLAYBACK_INTERRUPTED_MESSAGE = 'Paused by your device, maybe for a call.';
export const LOOP_OFF_MESSAGE = 'Loop off.';

/** Formats seconds as '1 minute 5.3 seconds', for screen readers. */
export function formatDurationInWordsToTenths(seconds: number) {
  const whole = Math.round(seconds * 10);
  const rest = whole % 600;
  const minutes = whole - rest;
  const text = `${rest / 10} ${rest === 10 ? 'second' : 'seconds'}`;
  return minutes === 0 ? text : `${formatDurationInWords(minutes / 10)} ${text}`;
}

/** Formats a speed as '0.5×', '0.75×', '1×'. */
export const formatSpeed = (rate: number) => `${rate}×`;

/** Returns the text between position and duration, which describes the loop. Empty if there is no loop. */
export function formatLoop({ loop, isDone }: PlayerSnapshot, looped: LoopedLines | null) {
  if (loop.kind === 'none') return '';
  if (loop.kind === 'a-set') return `A at ${formatDurationToTenths(loop.a)}`;
  return isDone ? `${looped ? formatLines(looped) : 'Loop'} · done` : formatPassage(loop, looped);
}

/** Describes the loop. Returns 'The whole melody' unless both A and B are set. */
export function formatPassage(loop: Loop, looped: LoopedLines | null) {
  if (loop.kind !== 'active') return 'The whole melody';
  return `${looped ? `${formatLines(looped)} ·` : 'Loop'} ${formatDurationToTenths(loop.a)} – ${formatDurationToTenths(loop.b)}`;
}

/**
 * Returns the text for the current round of the loop: ' · 3 of 5', or ' · 2nd time' without a limit. Empty
 * without a loop, after the last round, and in the first round without a limit.
 */
export function formatRound({ loop, round, repeats, isDone }: PlayerSnapshot) {
  if (loop.kind !== 'active' || isDone) return '';
  if (repeats !== null) return ` · ${round} of ${repeats}`;
  return round > 1 ? ` · ${formatOrdinal(round)} time` : '';
}

/** Returns the text of the repeats chip: '3 of 5' in a loop, '5×' without a loop; null for no limit. */
export function formatRepeats({ loop, round, repeats }: PlayerSnapshot) {
  if (repeats === null) return null;
  return loop.kind === 'active' ? `${round} of ${repeats}` : `${repeats}×`;
}

/** Formats the looped lines as 'Line 3' or 'Lines 3–5'. */
const formatLines = ({ from, to }: LoopedLines) =>
  from === to ? `Line ${from + 1}` : `Lines ${from + 1}–${to + 1}`;

/** Returns the announcement for screen readers. Omits the round, so that not every round is announced. */
export function getPlayerAnnouncement(
  { loop, clearedLoop, phase, isDone, repeats, isSlow, isInterrupted }: PlayerSnapshot,
  looped: LoopedLines | null,
) {
  if (phase === 'gap') return 'Your turn.';
  if (isSlow) return SLOW_CONNECTION_MESSAGE;
  if (isInterrupted) return PLAYBACK_INTERRUPTED_MESSAGE;
  if (isDone) return `The loop has played ${repeats} ${repeats === 1 ? 'time' : 'times'}.`;
  if (clearedLoop) return LOOP_OFF_MESSAGE;
  if (loop.kind === 'none') return 'No loop.';
  if (loop.kind === 'a-set') return `A point at ${formatDurationInWordsToTenths(loop.a)}.`;
  const name = looped ? `Looping ${formatLines(looped).toLowerCase()},` : 'Loop';
  return `${name} from ${formatDurationInWordsToTenths(loop.a)} to ${formatDurationInWordsToTenths(loop.b)}.`;
}

export const AUDIO_DAMAGED_MESSAGE =
  'This melody’s audio file is damaged and can’t be played. A teacher can fix this by adding the audio again.';
export const SLOW_CONNECTION_MESSAGE = 'The connection is slow. The melody will continue in a moment.';
