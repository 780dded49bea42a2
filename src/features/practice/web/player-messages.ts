import type { Loop } from '#web/audio/loop.ts';
import type { PlayerSnapshot } from './engine/practice-player.ts';
import type { LoopedLines } from '#features/lyrics/web/line-loops.ts';
import { ordinal } from '#features/recordings/web/attempt-name.ts';
import { spokenDuration, tenths } from '#web/ui/duration.ts';

export const B_BEFORE_A = 'B point must be after A point';
export const INTERRUPTED = 'Paused by your device, maybe for a call.';
export const LOOP_LET_GO = 'Loop off.';

/** Formats as '1 minute 5.3 seconds', for screen readers. */
export function spokenTenths(seconds: number) {
  const whole = Math.round(seconds * 10);
  const rest = whole % 600;
  const minutes = whole - rest;
  const said = `${rest / 10} ${rest === 10 ? 'second' : 'seconds'}`;
  return minutes === 0 ? said : `${spokenDuration(minutes / 10)} ${said}`;
}

/** Formats as '0.5×', '0.75×', '1×'. */
export const speedText = (rate: number) => `${rate}×`;

/** Returns the text between the times, which describes the loop. Empty if there is no loop. */
export function loopText({ loop, isDone }: PlayerSnapshot, looped: LoopedLines | null) {
  if (loop.kind === 'none') return '';
  if (loop.kind === 'a-set') return `A at ${tenths(loop.a)}`;
  return isDone ? `${looped ? linesText(looped) : 'Loop'} · done` : passageText(loop, looped);
}

/** Describes the loop, or the whole melody if there is none. */
export function passageText(loop: Loop, looped: LoopedLines | null) {
  if (loop.kind !== 'active') return 'The whole melody';
  return `${looped ? `${linesText(looped)} ·` : 'Loop'} ${tenths(loop.a)} – ${tenths(loop.b)}`;
}

/** Returns the current round of the loop. */
export function countText({ loop, round, repeats, isDone }: PlayerSnapshot) {
  if (loop.kind !== 'active' || isDone) return '';
  if (repeats !== null) return ` · ${round} of ${repeats}`;
  return round > 1 ? ` · ${ordinal(round)} time` : '';
}

/** Returns the text of the repeats chip: the current round and the number of rounds, or null for no limit. */
export function repeatsText({ loop, round, repeats }: PlayerSnapshot) {
  if (repeats === null) return null;
  return loop.kind === 'active' ? `${round} of ${repeats}` : `${repeats}×`;
}

/** Names lines by their numbers from 1. */
const linesText = ({ from, to }: LoopedLines) =>
  from === to ? `Line ${from + 1}` : `Lines ${from + 1}–${to + 1}`;

/** Returns the announcement for screen readers, which changes with the loop but not with each round. */
export function announcementOf(
  { loop, letGo, phase, isDone, repeats, isSlow, isInterrupted }: PlayerSnapshot,
  looped: LoopedLines | null,
) {
  if (phase === 'gap') return 'Your turn.';
  if (isSlow) return SLOW;
  if (isInterrupted) return INTERRUPTED;
  if (isDone) return `The loop has played ${repeats} ${repeats === 1 ? 'time' : 'times'}.`;
  if (letGo) return LOOP_LET_GO;
  if (loop.kind === 'none') return 'No loop.';
  if (loop.kind === 'a-set') return `A point at ${spokenTenths(loop.a)}.`;
  const name = looped ? `Looping ${linesText(looped).toLowerCase()},` : 'Loop';
  return `${name} from ${spokenTenths(loop.a)} to ${spokenTenths(loop.b)}.`;
}

export const SOUND_DAMAGED =
  'This melody’s audio file is damaged and can’t be played. Please tell your teacher.';
export const SLOW = 'The connection is slow. The melody will continue in a moment.';
