import type { RequestedWait } from '#web/uploads/upload-failures.ts';
import type { TakeSenderSnapshot } from '#features/recordings/web/takes/take-sender.ts';

/** Minimum wait for which the time of day is shown. */
const MIN_WAIT_SHOWN_MS = 15 * 60 * 1_000;

/**
 * Returns the server's reason why a recording waits, or a general reason if it gave none, and when the
 * recording will be sent.
 */
export function describeSendDelay(wait: RequestedWait | null, now = new Date()): string {
  const { reason = 'The server can’t accept it just now.', until = null } = wait ?? {};
  const then =
    until === null || until - now.getTime() < MIN_WAIT_SHOWN_MS
      ? 'Keep this page open and it will be sent.'
      : `Open this page again ${describeRetryTime(new Date(until), now)} and it will be sent.`;
  return `${reason} ${then}`;
}

function describeRetryTime(until: Date, now: Date) {
  const time = until.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return until.getDate() === now.getDate() ? `after ${time}` : `tomorrow after ${time}`;
}

/** Returns whether this take is being sent. Checking whether a wait is over does not count as sending. */
export const isTakeBeingSent = ({ id, fraction, blockedBy }: TakeSenderSnapshot, take: string) =>
  id === take && (blockedBy !== 'asked-to-wait' || fraction > 0);
