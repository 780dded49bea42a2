import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import type { Services } from './server.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Delay before the first daily run. Daily runs also read a share of the stored files to detect damage, which
 * must not slow down the start.
 */
const FIRST_DAILY_DELAY_MS = 10 * 60 * 1000;

type Deps = { services: Services; clock: Clock; log: Log };

/**
 * Runs maintenance once. Deletes old data, such as expired sessions and links, then compares the files with
 * their rows and renews damaged copies. A failing step does not stop the others.
 * @param sweepBefore sweeps files without a row that were stored before this time; null for an hour ago
 */
export async function runMaintenance(
  { services, clock, log }: Deps,
  sweepBefore: Date | null,
  read: 'share' | 'none',
  signal: AbortSignal,
): Promise<void> {
  const now = clock();
  const anHourAgo = new Date(now.getTime() - HOUR_MS);
  const steps: Record<string, () => Promise<unknown>> = {
    sessions: () => services.sessions.forgetExpired(now),
    attempts: () => services.attempts.forgetBefore(anHourAgo),
    devices: () => services.signIn.deleteOldDevices(),
    uploads: () => services.uploads.deleteOld(),
    links: () => services.passwords.deleteExpiredLinks(),
    'passkey challenges': () => services.passkeys.deleteExpiredChallenges(),
    'sign-in links and codes': () => services.signIn.deleteExpiredTokens(),
    mail: () => services.mail.cleanUp(now),
    files: () => services.fileRounds({ before: sweepBefore ?? anHourAgo, read, signal }),
    copies: () => services.copies.renewDamaged(),
  };
  for (const [step, run] of Object.entries(steps)) {
    if (signal.aborted) return;
    try {
      await run();
    } catch (error) {
      if (!signal.aborted) log.error({ error, step }, 'maintenance failed; it will be retried tomorrow');
    }
  }
}

/**
 * Runs maintenance at startup, ten minutes later, and then daily.
 * @param sweepBefore the startup run sweeps files without a row that were stored before this time. Null if other
 * processes may use the same files; the time is then an hour ago, as in daily runs.
 */
export function startMaintenance({ sweepBefore, ...deps }: Deps & { sweepBefore: Date | null }) {
  const ending = new AbortController();
  let running = runMaintenance(deps, sweepBefore, 'none', ending.signal);
  let timer = setTimeout(daily, FIRST_DAILY_DELAY_MS);
  function daily() {
    running = running.then(() => runMaintenance(deps, null, 'share', ending.signal));
    timer = setTimeout(daily, DAY_MS);
  }
  return {
    /** Aborts the current run and prevents further ones. Resolves when the current run has ended. */
    async stop() {
      clearTimeout(timer);
      ending.abort();
      await running;
    },
  };
}
