import { within } from '../../../platform/server/within.ts';

/** Together with the time that identifying the caller may take, readiness is answered within two seconds. */
const CHECK_MS = 900;

/**
 * A check with a timeout, after which it has failed. Concurrent callers share one check, so that polling exhausts
 * neither connections nor the threads that wait for a disk.
 */
export function boundedCheck(check: () => Promise<void>, ms = CHECK_MS): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= check().finally(() => {
      running = null;
    });
    return within(ms, running);
  };
}
