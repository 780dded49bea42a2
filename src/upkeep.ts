import type { Clock } from './platform/server/clock.ts';
import type { Log } from './platform/server/log.ts';
import type { Services } from './server.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Housekeeping at the start and daily: files that a crash left, expired sessions and links, old attempts, old mail;
 * then a share of the files is checked. A failing step does not stop the others.
 * @param sweepBefore at the start, everything older than this is left over; null if other processes may use the same
 *   files, so that a file has an hour to get its row, as in the daily run
 */
export function startUpkeep(deps: { services: Services; clock: Clock; log: Log; sweepBefore: Date | null }) {
  const { services, clock, log } = deps;
  const ending = new AbortController();

  async function round(sweepBefore: Date | null) {
    const now = clock();
    const anHourAgo = new Date(now.getTime() - HOUR_MS);
    const steps: Record<string, () => Promise<unknown>> = {
      files: async () => {
        const swept = await services.media.sweep(sweepBefore ?? anHourAgo);
        if (swept.files + swept.staged > 0) log.info(swept, 'swept files that a crash left over');
      },
      sessions: () => services.sessions.forgetExpired(now),
      attempts: () => services.attempts.forgetBefore(anHourAgo),
      devices: () => services.signIn.forgetOldDevices(),
      uploads: () => services.uploads.forgetOld(),
      links: () => services.passwords.forgetOldLinks(),
      mail: () => services.mail.tidy(now),
      checks: () => services.fileChecks.checkShare(ending.signal),
    };
    for (const [step, run] of Object.entries(steps)) {
      if (ending.signal.aborted) return;
      try {
        await run();
      } catch (error) {
        if (!ending.signal.aborted) log.error({ error, step }, 'upkeep failed; it will be retried tomorrow');
      }
    }
  }

  let running = round(deps.sweepBefore);
  const timer = setInterval(() => {
    running = running.then(() => round(null));
  }, DAY_MS);
  return {
    /** Resolves when the current run has ended; the check of files is aborted. */
    async stop() {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}
