import { callApi } from '#web/api/call.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { runExclusively } from '#features/recordings/web/takes/take-locks.ts';
import { onReturnOrReconnect } from '#web/uploads/on-return-or-reconnect.ts';
import { MAX_PRACTICE_ADDITIONS_PER_CALL } from '../limits.ts';
import { closePracticeRows, deletePracticeAdditions } from './practice-store.ts';

/**
 * Sends the practice that this device has counted for a user, and refetches the log. Runs in only one tab at
 * a time. Practice that can't be sent stays on the device for the next try.
 * @throws if the server can't be reached or rejects the request, or if the device's storage fails
 */
export const sendPractice = (userId: string, signal = new AbortController().signal) =>
  runExclusively('send practice', signal, async () => {
    const additions = await closePracticeRows(userId);
    if (additions.length === 0) return;
    for (let from = 0; from < additions.length; from += MAX_PRACTICE_ADDITIONS_PER_CALL) {
      const part = additions.slice(from, from + MAX_PRACTICE_ADDITIONS_PER_CALL);
      await callApi('POST /api/user/practice-log', { body: { additions: part }, signal });
      await deletePracticeAdditions(part);
    }
    refreshQueries(['/api/user/practice-log']);
  });

/**
 * Sends practice now, and again whenever the device is back online or the student returns to the page.
 * @returns a function that stops sending
 */
export function startSendingPractice(userId: string): () => void {
  const ending = new AbortController();
  const send = () => void sendPractice(userId, ending.signal).catch(() => undefined);
  send();
  onReturnOrReconnect(send, ending.signal);
  return () => ending.abort();
}
