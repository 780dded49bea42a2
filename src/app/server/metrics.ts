import { Registry } from '@prometheus-io/client';
import type { MailService } from '#features/messages/mail/server/service.ts';
import type { UploadsService } from '#features/uploads/server/service.ts';
import type { Database } from '#server/db/database.ts';
import type { DiskSpaceMonitor } from '#server/media/disk-space.ts';
import { type AddGauge, createGaugeAdder, createProcessMetrics } from '#server/metrics/process.ts';
import { createRequestMetrics } from '#server/metrics/requests.ts';
import type { Settings } from '#server/config/settings.ts';
import type { JobWorker } from '#server/jobs/worker.ts';
import { withTimeout } from '#server/concurrency/with-timeout.ts';

/**
 * Cache time for metrics from the database. Prometheus scrapes every 15 seconds, and there may be several
 * scrapers.
 */
const CACHE_MS = 10_000;
/** Timeout for the database and the disk; metrics that don't arrive in time are left out. */
const COLLECT_TIMEOUT_MS = 1_000;
const MAX_COUNTED = 1_000;

type Queue = Pick<JobWorker, 'name' | 'countOpen'>;

/**
 * Creates the metrics with which an operator monitors this process. They contain no personal data.
 * @param token grants access to the metrics
 */
export function createMetrics(
  token: string,
  { settings, database, disk }: { settings: Settings; database: Database; disk: DiskSpaceMonitor },
  { mail, uploads, workers }: { mail: MailService; uploads: UploadsService; workers: readonly Queue[] },
) {
  const requests = createRequestMetrics();
  const ofProcess = createProcessMetrics();
  const stored = cacheResult(
    async () => ({
      waiting: await Promise.all(
        workers.map(async ({ name, countOpen }) => ({ name, jobs: await countOpen(MAX_COUNTED) })),
      ),
      failedMails: await mail.countUndeliverable(MAX_COUNTED),
      files: await uploads.countOpen(),
    }),
    CACHE_MS,
  );

  function addPool(add: AddGauge) {
    const { totalCount, idleCount, waitingCount } = database.pool;
    add(
      'yangchen_database_pool_max',
      'Maximum number of database connections of this process.',
      settings.databasePool,
    );
    add('yangchen_database_pool_size', 'Open database connections of this process.', totalCount);
    add('yangchen_database_pool_idle', 'Idle database connections of this process.', idleCount);
    add('yangchen_database_pool_waiting', 'Queries waiting for a database connection.', waitingCount);
  }

  async function addStored(add: AddGauge) {
    const found = await withTimeout(COLLECT_TIMEOUT_MS, stored()).catch(() => null);
    add('yangchen_database_up', 'Whether the database responds: 1 or 0.', found ? 1 : 0);
    if (!found) return;
    const { waiting, failedMails, files } = found;
    for (const { name, jobs } of waiting)
      add(`yangchen_${name}_waiting`, `Jobs in the queue of ${name}, at most ${MAX_COUNTED}.`, jobs);
    add('yangchen_mails_failed', `Emails that could not be delivered, at most ${MAX_COUNTED}.`, failedMails);
    add('yangchen_uploads_open', `Incomplete uploads, at most ${files.most}.`, files.count);
    add('yangchen_uploads_open_bytes', 'Bytes received of incomplete uploads.', files.bytes);
  }

  async function addDisk(add: AddGauge) {
    const size = await withTimeout(COLLECT_TIMEOUT_MS, disk.size()).catch(() => null);
    // Leaves out these metrics if the file system reports no size, as some do.
    if (!size || size.total === 0) return;
    add('yangchen_disk_free_bytes', 'Free space on the disk of the data folder.', size.free);
    add('yangchen_disk_size_bytes', 'Size of the disk of the data folder.', size.total);
    add(
      'yangchen_disk_reserve_bytes',
      'Free space below which new recordings and files are rejected.',
      Math.round(size.least),
    );
  }

  return {
    token,
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    requests,
    async collect(): Promise<string> {
      // Creates a new registry each time, so that metrics whose values are currently unknown are left out.
      const registry = new Registry();
      const add = createGaugeAdder(registry);
      ofProcess.addTo(registry);
      addPool(add);
      await Promise.all([addStored(add), addDisk(add)]);
      return Registry.merge([registry, requests.registry]).metrics();
    },
    stop: ofProcess.stop,
  };
}

/**
 * Caches the result of `ask` and coalesces concurrent calls, so that the cost doesn't depend on the number of
 * calls. Failures are not cached.
 */
function cacheResult<T>(ask: () => Promise<T>, forMs: number): () => Promise<T> {
  let last: { askedAt: number; answer: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (last && now - last.askedAt < forMs) return last.answer;
    const asked = { askedAt: now, answer: ask() };
    asked.answer.catch(() => {
      if (last === asked) last = null;
    });
    last = asked;
    return asked.answer;
  };
}
