import { call } from '#web/api/call.ts';
import { refresh } from '#web/api/query-client.ts';
import { runExclusively } from '#features/recordings/web/takes/take-locks.ts';
import { onReturn } from '#web/uploads/on-return.ts';
import { MAX_ADDITIONS_PER_CALL } from '../limits.ts';
import { closePractice, deletePractice } from './practice-store.ts';

/**
 * Sends what this device has counted for a user. What can't be sent waits for the next attempt.
 * @throws if the server can't be reached or refuses, or the device's storage fails
 */
export const sendPractice = (userId: string, signal = new AbortController().signal) =>
  runExclusively('send practice', signal, async () => {
    const additions = await closePractice(userId);
    if (additions.length === 0) return;
    for (let from = 0; from < additions.length; from += MAX_ADDITIONS_PER_CALL) {
      const part = additions.slice(from, from + MAX_ADDITIONS_PER_CALL);
      await call('POST /api/user/practice-log', { body: { additions: part }, signal });
      await deletePractice(part);
    }
    refresh(['/api/user/practice-log']);
  });

/**
 * Sends practice now, and whenever the connection or the student comes back.
 * @returns a function that stops sending
 */
export function startSendingPractice(userId: string): () => void {
  const ending = new AbortController();
  const send = () => void sendPractice(userId, ending.signal).catch(() => undefined);
  send();
  onReturn(send, ending.signal);
  return () => ending.abort();
}
