import type { Clock } from './platform/server/clock.ts';
import type { Log } from './platform/server/log.ts';
import type { Services } from './server.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * What is swept away at the start and daily: files that a crash left over, expired sessions and links, old tries,
 * old mail.
 * @param sweepBefore at the start, everything older than this is left over; null where other processes may be at
 *   work on the same files, so that a file is given an hour to get its row, as it is in the daily round
 */
export function startUpkeep(deps: { services: Services; clock: Clock; log: Log; sweepBefore: Date | null }) {
  const { services, clock, log } = deps;
  let running = Promise.resolve();

  async function round(sweepBefore: Date | null) {
    const now = clock();
    try {
      const swept = await services.media.sweep(sweepBefore ?? new Date(now.getTime() - HOUR_MS));
      if (swept.files + swept.staged > 0) log.info(swept, 'removed files that a crash left over');
      await services.sessions.forgetExpired(now);
      await services.attempts.forgetBefore(new Date(now.getTime() - HOUR_MS));
      await services.signIn.forgetOldDevices();
      await services.uploads.forgetOld();
      await services.passwords.forgetOldLinks();
      await services.mail.tidy(now);
    } catch (error) {
      log.error({ error }, 'upkeep failed; it is tried again tomorrow');
    }
  }

  running = round(deps.sweepBefore);
  const timer = setInterval(() => {
    running = running.then(() => round(null));
  }, DAY_MS);
  return {
    /** Resolves when the round that is under way has ended. */
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
