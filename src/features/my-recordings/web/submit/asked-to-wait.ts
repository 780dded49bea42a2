import type { AskedToWait } from '#web/uploads/failed-try.ts';
import type { SenderSnapshot } from '#features/recordings/web/takes/take-sender.ts';

/** For shorter waits, the time of day is not worth showing. */
const WORTH_A_TIME_MS = 15 * 60 * 1_000;

/** Returns why a recording waits, in the server's words, and when it will be sent. */
export function sentenceOfWait(wait: AskedToWait | null, now = new Date()): string {
  const { reason = 'The server can’t accept it just now.', until = null } = wait ?? {};
  const then =
    until === null || until - now.getTime() < WORTH_A_TIME_MS
      ? 'Keep this page open and it will be sent.'
      : `Open this page again ${afterTime(new Date(until), now)} and it will be sent.`;
  return `${reason} ${then}`;
}

function afterTime(until: Date, now: Date) {
  const time = until.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return until.getDate() === now.getDate() ? `after ${time}` : `tomorrow after ${time}`;
}

/** Returns whether this take is being sent. Checking whether a wait is over does not count as sending. */
export const isBeingSent = ({ id, fraction, hindrance }: SenderSnapshot, take: string) =>
  id === take && (hindrance !== 'asked-to-wait' || fraction > 0);
