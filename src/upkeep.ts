import type { Clock } from './platform/server/clock.ts';
import type { Log } from './platform/server/log.ts';
import type { Services } from './server.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * What is tidied at the start and daily: files that a crash left over, expired sessions and links, old tries, old mail;
 * then a share of the files is read and compared. One that fails keeps none of the others.
 * @param sweepBefore at the start, everything older than this is left over; null where other processes may be at
 *   work on the same files, so that a file is given an hour to get its row, as it is in the daily round
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
        if (!ending.signal.aborted) log.error({ error, step }, 'upkeep failed; it is tried again tomorrow');
      }
    }
  }

  let running = round(deps.sweepBefore);
  const timer = setInterval(() => {
    running = running.then(() => round(null));
  }, DAY_MS);
  return {
    /** Resolves when the round that is under way has ended; the reading of files breaks off. */
    async stop() {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}
