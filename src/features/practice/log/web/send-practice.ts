import { call } from '#web/api/call.ts';
import { refresh } from '#web/api/query-client.ts';
import { aloneAt } from '#features/recordings/web/takes/take-locks.ts';
import { whenBack } from '#web/uploads/when-back.ts';
import { ADDED_AT_ONCE } from '../limits.ts';
import { closePractice, forgetPractice } from './practice-store.ts';

/**
 * Sends what this device has counted for a user. What can't be sent waits for the next attempt.
 * @throws if the server can't be reached or refuses, or the device's storage fails
 */
export const sendPractice = (userId: string, signal = new AbortController().signal) =>
  aloneAt('send practice', signal, async () => {
    const additions = await closePractice(userId);
    if (additions.length === 0) return;
    for (let from = 0; from < additions.length; from += ADDED_AT_ONCE) {
      const part = additions.slice(from, from + ADDED_AT_ONCE);
      await call('POST /api/user/practice-log', { body: { additions: part }, signal });
      await forgetPractice(part);
    }
    refresh(['/api/user/practice-log']);
  });

/**
 * Sends practice now, and whenever the connection or the student comes back.
 * @returns a function that stops sending
 */
export function keepSendingPractice(userId: string): () => void {
  const ending = new AbortController();
  const send = () => void sendPractice(userId, ending.signal).catch(() => undefined);
  send();
  whenBack(send, ending.signal);
  return () => ending.abort();
}
