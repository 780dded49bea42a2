import { Gauge, Registry } from '@prometheus-io/client';
import { sql } from 'drizzle-orm';
import type { MailService } from '#features/messages/mail/server/service.ts';
import type { NightlyBackups } from '#features/operations/backups/server/service.ts';
import type { HealthChecks } from '#features/operations/health/server/routes.ts';
import type { UploadsService } from '#features/uploads/server/service.ts';
import type { Database } from '#server/db/database.ts';
import type { DiskSpaceMonitor } from '#server/media/disk-space.ts';
import { type AddGauge, createGaugeAdder, createProcessMetrics } from '#server/metrics/process.ts';
import { createRequestMetrics } from '#server/metrics/requests.ts';
import type { Settings } from '#server/config/settings.ts';
import type { JobWorker } from '#server/jobs/worker.ts';
import type { FileChecks } from '#server/media/file-checks.ts';
import type { NoticesService } from '#server/notices.ts';
import type { Clock } from '#server/clock.ts';
import { mediaFiles } from '#server/db/schema.ts';
import { NOTICE_KINDS } from '#shared/kinds.ts';
import { withTimeout } from '#server/concurrency/with-timeout.ts';

/**
 * Cache time for metrics from the database. Prometheus scrapes every 15 seconds, and there may be several
 * scrapers.
 */
const CACHE_MS = 10_000;
/** Timeout for the database and the disk; metrics that don't arrive in time are left out. */
const COLLECT_TIMEOUT_MS = 1_000;
const MAX_COUNTED = 1_000;
/** Cache time for sizes, which are expensive to measure and change slowly. */
const SIZES_CACHE_MS = 600_000;

type Queue = Pick<JobWorker, 'name' | 'countOpen'>;

type MeasuredParts = { settings: Settings; database: Database; disk: DiskSpaceMonitor; clock: Clock };
type MeasuredServices = {
  mail: MailService;
  uploads: UploadsService;
  workers: readonly Queue[];
  backups: Pick<NightlyBackups, 'getSavedStatus'>;
  fileChecks: Pick<FileChecks, 'damaged'>;
  notices: Pick<NoticesService, 'list'>;
};

/**
 * Creates the metrics with which an operator monitors this process. They contain no personal data.
 * @param token grants access to the metrics
 */
export function createMetrics(
  token: string,
  { settings, database, disk, clock }: MeasuredParts,
  { mail, uploads, workers, backups, fileChecks, notices }: MeasuredServices,
  checks: Pick<HealthChecks, 'databaseWrite' | 'media'>,
) {
  const requests = createRequestMetrics();
  const ofProcess = createProcessMetrics();
  const stored = cacheResult(
    async () => ({
      waiting: await Promise.all(
        workers.map(async ({ name, countOpen }) => ({ name, jobs: await countOpen(MAX_COUNTED) })),
      ),
      failedMails: await mail.countUndeliverable(MAX_COUNTED),
      oldestMail: await mail.getOldestQueuedTime(),
      files: await uploads.countOpen(),
      damaged: await fileChecks.damaged(),
      notices: await notices.list(),
      backup: await backups.getSavedStatus(),
    }),
    CACHE_MS,
  );
  const sizes = cacheResult(async () => {
    const { rows } = await database.db.execute<{ database: string; media: string }>(
      sql`select pg_database_size(current_database()) as database,
        (select coalesce(sum(${mediaFiles.size}), 0) from ${mediaFiles}) as media`,
    );
    return { database: Number(rows[0]!.database), media: Number(rows[0]!.media) };
  }, SIZES_CACHE_MS);
  const getAgeSeconds = (time: Date) => (clock().getTime() - time.getTime()) / 1000;

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

  async function addChecks(add: AddGauge) {
    const [write, media] = await Promise.all([checks.databaseWrite.run(), checks.media.run()]);
    add(
      'yangchen_database_writable',
      'Whether the database commits a write: 1 or 0. Requests that change data fail while it is 0.',
      write === 'failed' ? 0 : 1,
    );
    add('yangchen_media_up', 'Whether the media store can be reached: 1 or 0.', media === 'failed' ? 0 : 1);
    const latencyMs = checks.media.getLatencyMs();
    if (latencyMs !== null)
      add(
        'yangchen_media_check_seconds',
        'Duration of the last completed check of the media store.',
        latencyMs / 1000,
      );
  }

  async function addSizes(add: AddGauge) {
    const found = await withTimeout(COLLECT_TIMEOUT_MS, sizes()).catch(() => null);
    if (!found) return;
    add('yangchen_database_size_bytes', 'Size of the database, measured every ten minutes.', found.database);
    add('yangchen_media_size_bytes', 'Size of all stored files, measured every ten minutes.', found.media);
  }

  function addBackup(add: AddGauge, status: Awaited<ReturnType<typeof backups.getSavedStatus>>) {
    if (!status) return;
    const { takenAt, restoreProvenAt, restoreFailedAt } = status;
    if (takenAt)
      add(
        'yangchen_backup_age_seconds',
        'Time since the last nightly backup was taken.',
        getAgeSeconds(takenAt),
      );
    if (restoreProvenAt)
      add(
        'yangchen_restore_test_age_seconds',
        'Time since a backup was last restored in a test.',
        getAgeSeconds(restoreProvenAt),
      );
    add(
      'yangchen_restore_test_failed',
      'Whether the last restore test failed or could not be done: 1 or 0.',
      restoreFailedAt ? 1 : 0,
    );
  }

  async function addStored(add: AddGauge, registry: Registry) {
    const found = await withTimeout(COLLECT_TIMEOUT_MS, stored()).catch(() => null);
    add('yangchen_database_up', 'Whether the database responds: 1 or 0.', found ? 1 : 0);
    if (!found) return;
    const { waiting, failedMails, oldestMail, files, damaged, backup } = found;
    for (const { name, jobs } of waiting)
      add(`yangchen_${name}_waiting`, `Jobs in the queue of ${name}, at most ${MAX_COUNTED}.`, jobs);
    add('yangchen_mails_failed', `Emails that could not be delivered, at most ${MAX_COUNTED}.`, failedMails);
    add('yangchen_uploads_open', `Incomplete uploads, at most ${files.most}.`, files.count);
    add('yangchen_uploads_open_bytes', 'Bytes received of incomplete uploads.', files.bytes);
    add(
      'yangchen_mails_oldest_age_seconds',
      'Time since the oldest email that is still to be sent was queued; 0 if there is none.',
      oldestMail ? getAgeSeconds(oldestMail) : 0,
    );
    add(
      'yangchen_files_damaged',
      'Stored files that are missing or changed since upload.',
      damaged.missing + damaged.changed,
    );
    addBackup(add, backup);
    const open = new Gauge({
      name: 'yangchen_notice_open',
      help: 'Whether the teacher has an open notice of this kind: 1 or 0.',
      labelNames: ['kind'],
      registers: [registry],
    });
    for (const kind of NOTICE_KINDS)
      open.set({ kind }, found.notices.some((notice) => notice.kind === kind) ? 1 : 0);
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
      await Promise.all([addStored(add, registry), addSizes(add), addChecks(add), addDisk(add)]);
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
