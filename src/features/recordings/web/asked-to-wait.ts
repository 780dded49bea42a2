import type { AskedToWait } from '../../../platform/web/uploads/failed-try.ts';
import type { SenderSnapshot } from '../../../platform/web/takes/take-sender.ts';

/** For less than this the hour would tell nobody anything. */
const WORTH_A_TIME_MS = 15 * 60 * 1_000;

/** Why a recording waits, as the server said it, what becomes of it, and when. */
export function sentenceOfWait(wait: AskedToWait | null, now = new Date()): string {
  const { reason = 'The server can’t take it just now.', until = null } = wait ?? {};
  const then =
    until === null || until - now.getTime() < WORTH_A_TIME_MS
      ? 'will be sent while this page is open.'
      : `will be sent when you open this page again ${afterTime(new Date(until), now)}.`;
  return `${reason} It is safe on this device and ${then}`;
}

function afterTime(until: Date, now: Date) {
  const time = until.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return until.getDate() === now.getDate() ? `after ${time}` : `tomorrow after ${time}`;
}

/** Whether this take is on its way. A look whether the wait is over is not yet sending. */
export const isBeingSent = ({ id, fraction, hindrance }: SenderSnapshot, take: string) =>
  id === take && (hindrance !== 'asked-to-wait' || fraction > 0);
