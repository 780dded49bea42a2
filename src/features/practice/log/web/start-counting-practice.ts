import { formatIsoDate } from '#web/ui/format-iso-date.ts';
import { createResourceScope } from '#web/api/resource-scope.ts';
import type { PlaybackSource } from '#features/practice/web/follow-playback.ts';
import { createPracticeCounter } from './practice-counter.ts';
import { addPractice } from './practice-store.ts';
import { sendPractice } from './send-practice.ts';

/**
 * Counts practice in a player and stores it on this device.
 * @returns a function that stops counting and sends what was stored
 */
export function startCountingPractice(
  player: PlaybackSource,
  audio: EventTarget,
  melodyId: number,
  userId: string,
): () => void {
  const scope = createResourceScope();
  let stored: Promise<unknown> = Promise.resolve();
  const counter = createPracticeCounter(
    player,
    audio,
    () => performance.now(),
    (counted) => {
      const practice = { melodyId, day: formatIsoDate(new Date()), ...counted };
      // Ignores a failure of the browser's storage: this practice is lost, but counting goes on.
      stored = stored.then(() => addPractice(userId, practice)).catch(() => undefined);
    },
  );
  scope.listen(globalThis, 'pagehide', counter.report);
  scope.listen(document, 'visibilitychange', counter.report);
  scope.own(() => {
    counter.end();
    void stored.then(() => sendPractice(userId)).catch(() => undefined);
  });
  return () => scope.end();
}
