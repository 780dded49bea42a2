import type { AskedToWait } from '../../../platform/web/takes/failed-try.ts';
import type { SenderSnapshot } from '../../../platform/web/takes/take-sender.ts';

/** For less than this the hour would tell nobody anything. */
const WORTH_A_TIME_MS = 15 * 60 * 1_000;

/** Why a recording waits, as the server said it, what becomes of it, and when. */
export function sentenceOfWait(wait: AskedToWait | null, now = new Date()): string {
  const { reason = 'The server can’t take it just now.', until = null } = wait ?? {};
  return `${reason} It is safe on this device and will be sent by itself${until === null ? '' : timeOf(new Date(until), now)}.`;
}

function timeOf(until: Date, now: Date) {
  if (until.getTime() - now.getTime() < WORTH_A_TIME_MS) return '';
  const time = until.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return until.getDate() === now.getDate() ? ` at about ${time}` : ` tomorrow at about ${time}`;
}

/** Whether this take is on its way. A look whether the wait is over is not yet sending. */
export const isBeingSent = ({ id, fraction, hindrance }: SenderSnapshot, take: string) =>
  id === take && (hindrance !== 'asked-to-wait' || fraction > 0);
