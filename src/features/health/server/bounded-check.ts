import { within } from '../../../platform/server/within.ts';

/** Together with the moment that finding out who calls may take, readiness is answered within two seconds. */
const CHECK_MS = 900;

/**
 * A check that answers in time: one that takes longer has failed. Whoever asks while one is under way waits for the
 * same, so that asking again and again uses up neither connections nor the threads that wait for a disk.
 */
export function boundedCheck(check: () => Promise<void>, ms = CHECK_MS): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  return () => {
    underWay ??= check().finally(() => {
      underWay = null;
    });
    return within(ms, underWay);
  };
}
