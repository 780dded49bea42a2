import { dayOf } from '#web/ui/day.ts';
import { createScope } from '#web/api/scope.ts';
import { countPractice, type PracticeSource } from './practice-counter.ts';
import { storePractice } from './practice-store.ts';
import { sendPractice } from './send-practice.ts';

/** Counts what is practised in a player, and keeps it on this device. @returns ends it, and sends what was kept */
export function logPractice(
  player: PracticeSource,
  audio: EventTarget,
  melodyId: number,
  userId: string,
): () => void {
  const scope = createScope();
  let stored: Promise<unknown> = Promise.resolve();
  const counter = countPractice(
    player,
    audio,
    () => performance.now(),
    (counted) => {
      const practice = { melodyId, day: dayOf(new Date()), ...counted };
      // Where the browser stores nothing, nothing is counted.
      stored = stored.then(() => storePractice(userId, practice)).catch(() => undefined);
    },
  );
  scope.listen(globalThis, 'pagehide', counter.handOver);
  scope.listen(document, 'visibilitychange', counter.handOver);
  scope.own(() => {
    counter.end();
    void stored.then(() => sendPractice(userId)).catch(() => undefined);
  });
  return () => scope.end();
}
