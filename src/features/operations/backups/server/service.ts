import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { type BackupStatus, installation } from '#server/db/schema.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from '#server/log.ts';
import type { FileChecks } from '#server/media/file-checks.ts';
import { createDiskMeter, type DiskSpace } from '#server/media/disk-space.ts';
import type { NoticesService } from '#server/notices.ts';
import { SettingsError } from '#server/config/settings.ts';
import { withTimeout } from '#server/concurrency/with-timeout.ts';
import { listNightlyBackups } from './backup-folder.ts';
import type { BackupSource } from './take-backup.ts';

/**
 * Local hour from which the nightly backup is due: a time at which nobody sings. If the server is off at that
 * hour, it takes the backup later.
 */
const FROM_HOUR = 2;
/**
 * Local hour until which a restore test may start, unless a backup has just been taken. A test needs much CPU
 * time and disk bandwidth.
 */
const RESTORE_TEST_UNTIL_HOUR = 6;
const CHECK_INTERVAL_MS = 60 * 60 * 1000;
const FIRST_CHECK_MS = 60 * 1000;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Days from a successful restore test to the next test. */
const RESTORE_TEST_DAYS = 30;
/** Days from a restore test that did not succeed to the next test. */
const RESTORE_RETEST_DAYS = 1;
/** Timeout of a restore test, so that one that hangs is repeated the next night. */
const RESTORE_TEST_TIMEOUT_MS = 12 * 60 * 60 * 1000;
/**
 * Age of the last backup, in days, at which the next one is overdue. This allows for one missed night, for
 * example if the server was off.
 */
const OVERDUE_DAYS = 2;

/** Timeout for a test write. It is longer than any disk takes to spin up. */
const WRITABLE_TIMEOUT_MS = 10_000;

/** Space needed in addition to the media files, in bytes, for the rows. */
const SPARE_BYTES = 64 * 1024 * 1024;
/** Share of the disk's size that must stay free, 0 to 1. */
const SPARE_SHARE = 0.03;

/**
 * Result of a restore test. 'no-room' and 'no-database': the test could not be done, because the disk has too
 * little space, or because this machine can't run the embedded database. 'busy': another test is running.
 */
export type RestoreTestResult = 'proven' | 'failed' | 'no-room' | 'no-database' | 'busy';

export type NightlyBackups = ReturnType<typeof createNightlyBackups>;

type Deps = {
  source: BackupSource;
  /** Null if this process takes no backups. */
  folder: string | null;
  /** Whether another process on the same database may take backups. */
  canRunElsewhere: boolean;
  /** Number of backups to keep. */
  keep: number;
  /** Null if backups are not encrypted. */
  passphrase: string | null;
  db: Db;
  notices: NoticesService;
  checks: Pick<FileChecks, 'recheck'>;
  /** Restores a backup into a scratch installation and verifies it. */
  testRestore(path: string, signal: AbortSignal): Promise<RestoreTestResult>;
  clock: Clock;
  log: Pick<Log, 'info' | 'error' | 'warn'>;
  /** Measures the disk of a folder; replaced in tests. */
  measure?: (folder: string) => Promise<DiskSpace>;
};

/**
 * Creates the service that takes nightly backups. Each backup is verified before it gets its final name. Then
 * the oldest backups are deleted. Once a month, the newest backup is restored in a test.
 */
export function createNightlyBackups({ measure = (place) => createDiskMeter(place)(), ...deps }: Deps) {
  const { source, folder, canRunElsewhere, keep, passphrase, db, notices, checks, testRestore, clock, log } =
    deps;

  let isTestingRestore = false;

  async function take(place: string, plainName: string, signal: AbortSignal) {
    // Loads these modules only when needed, so that they don't occupy the server's memory all day.
    const [{ takeNightlyBackup, pruneNightlyBackups }, { createBackupKeys }] = await Promise.all([
      import('./nightly-backup.ts'),
      import('./encryption.ts'),
    ]);
    const keys = createBackupKeys(passphrase);
    const assertSpace = (bytes: number) => assertDiskSpace(place, bytes);
    const options = { keys, signal, assertSpace };
    const { damaged, ...taken } = await takeNightlyBackup(source, place, plainName, options);
    const { name, bytes } = taken;
    const { mtime } = await stat(join(place, name));
    await saveStatus({ latest: { takenAt: mtime.toISOString(), bytes } });
    log.info(taken, 'took a backup and read it back');
    if (damaged.length > 0) {
      log.warn({ name, files: damaged.length }, 'the backup lacks files that are missing or damaged');
      await checks.recheck(damaged);
    }
    // A restore test reads the shared files. They are deleted after the next backup.
    if (!isTestingRestore) await pruneNightlyBackups(place, { keep, damaged, keys, log });
  }

  async function assertDiskSpace(place: string, bytes: number) {
    const { free, total } = await measure(place);
    if (free - bytes - SPARE_BYTES < total * SPARE_SHARE)
      throw new Error('There is not enough room for a backup on the disk of BACKUP_DIR');
  }

  /**
   * Returns the newest backup in the folder. If this process takes no backups, returns the last report of the
   * process that takes them, or null if there is none.
   */
  async function findBackups(): Promise<BackupStatus | null> {
    if (folder === null && !canRunElsewhere) return null;
    const [row] = await db.select({ shared: installation.backups }).from(installation);
    const shared = row?.shared ?? null;
    if (folder === null) return shared;
    return {
      since: shared?.since ?? clock().toISOString(),
      latest: await findLatest(folder, shared),
      ...(shared?.restoreTest && { restoreTest: shared.restoreTest }),
    };
  }

  async function findLatest(place: string, shared: BackupStatus | null): Promise<BackupStatus['latest']> {
    const newest = await findNewestName(place);
    if (newest === undefined) return null;
    const { mtime, size } = await stat(join(place, newest));
    const takenAt = mtime.toISOString();
    // The archive's own size is that of the whole backup only if the archive contains its media.
    return shared?.latest?.takenAt === takenAt ? shared.latest : { takenAt, bytes: size };
  }

  /**
   * Reports this process's backups to other processes, and updates the notices about missing backups.
   * @returns whether a backup is overdue
   */
  async function check(): Promise<boolean> {
    const state = await findBackups();
    if (folder !== null && state) await saveStatus({ latest: state.latest, since: state.since });
    if (!state) {
      for (const kind of ['backup-overdue', 'backup-failed', 'restore-failed', 'restore-untested'] as const)
        await notices.clear(kind);
      await notices.raise('no-backup');
      return false;
    }
    await notices.clear('no-backup');
    const days = getAgeDays(state);
    const isOverdue = days >= OVERDUE_DAYS;
    if (isOverdue) {
      await notices.clear('backup-failed');
      await notices.raise('backup-overdue', { days, taken: state.latest ? 1 : 0 });
    } else await notices.clear('backup-overdue');
    return isOverdue;
  }

  /** Returns the days since the last backup, or since backups were set up. */
  const getAgeDays = ({ latest, since }: BackupStatus) =>
    Math.floor((clock().getTime() - new Date(latest?.takenAt ?? since).getTime()) / DAY_MS);

  function isRestoreTestDue(now: Date, restoreTest: BackupStatus['restoreTest']) {
    if (!restoreTest) return true;
    const { startedAt, provenAt } = restoreTest;
    // ISO times can be compared as strings.
    const hasSucceeded = provenAt !== null && provenAt >= startedAt;
    const next = new Date(startedAt);
    next.setDate(next.getDate() + (hasSucceeded ? RESTORE_TEST_DAYS : RESTORE_RETEST_DAYS));
    next.setHours(FROM_HOUR, 0, 0, 0);
    return now >= next;
  }

  /**
   * Merges a part into the saved status in one statement, because backups and restore tests run in parallel.
   */
  const saveStatus = (part: Partial<BackupStatus>) =>
    db.update(installation).set({
      backups: sql`coalesce(${installation.backups}, '{}') || ${JSON.stringify(part)}::jsonb`,
    });

  return {
    check,

    async getState() {
      const state = await findBackups();
      const { latest = null, restoreTest } = state ?? {};
      return {
        isNightly: state !== null,
        isOverdue: state !== null && getAgeDays(state) >= OVERDUE_DAYS,
        latest: latest && { ...latest, takenAt: new Date(latest.takenAt) },
        restoreProvenAt: toDate(restoreTest?.provenAt),
        restoreFailedAt: toDate(restoreTest?.failedAt),
      };
    },

    /**
     * Returns the status that was last saved, without access to the disk of the backups, which may hang. Null if
     * there is none.
     */
    async getSavedStatus() {
      const [row] = await db.select({ backups: installation.backups }).from(installation);
      if (!row?.backups) return null;
      const { latest, restoreTest } = row.backups;
      return {
        takenAt: toDate(latest?.takenAt),
        restoreProvenAt: toDate(restoreTest?.provenAt),
        restoreFailedAt: toDate(restoreTest?.failedAt),
      };
    },

    /**
     * Restores the newest backup in a test, if that is due and there is a backup. Logs a failure and notifies
     * the teacher.
     * @param isAfterBackup whether a backup has just been taken; otherwise, a test starts only at night
     */
    async testRestoreIfDue(isAfterBackup: boolean, signal: AbortSignal): Promise<void> {
      const now = clock();
      const hour = now.getHours();
      if (folder === null || !(isAfterBackup || (hour >= FROM_HOUR && hour < RESTORE_TEST_UNTIL_HOUR)))
        return;
      const newest = await findNewestName(folder);
      const { restoreTest } = (await findBackups()) ?? {};
      if (newest === undefined || !isRestoreTestDue(now, restoreTest)) return;
      const { provenAt = null, failedAt = null } = restoreTest ?? {};
      const startedAt = now.toISOString();
      // Saves the start before the test, so that a test that crashes the server is repeated the next night,
      // not on restart.
      await saveStatus({ restoreTest: { startedAt, provenAt, failedAt } });
      const ending = AbortSignal.any([signal, AbortSignal.timeout(RESTORE_TEST_TIMEOUT_MS)]);
      isTestingRestore = true;
      const result = await testRestore(join(folder, newest), ending)
        .catch((error: unknown) => {
          if (!signal.aborted)
            log.error({ error, name: newest }, 'the restore test failed; repeating it tomorrow');
          return 'failed' as const;
        })
        .finally(() => (isTestingRestore = false));
      if (signal.aborted || result === 'busy') return;
      const endedAt = clock().toISOString();
      if (result === 'proven') {
        log.info({ name: newest }, 'restored a backup in a test');
        await saveStatus({ restoreTest: { startedAt, provenAt: endedAt, failedAt: null } });
        for (const kind of ['restore-failed', 'restore-untested'] as const) await notices.clear(kind);
        return;
      }
      await saveStatus({ restoreTest: { startedAt, provenAt, failedAt: endedAt } });
      if (result === 'failed') {
        await notices.clear('restore-untested');
        await notices.raise('restore-failed');
      } else await notices.raise('restore-untested', { noRoom: result === 'no-room' ? 1 : 0 });
    },

    /**
     * Takes today's backup if it is due. Logs a failure and notifies the teacher.
     * @returns whether a backup was taken
     */
    async takeIfDue(signal: AbortSignal): Promise<boolean> {
      const now = clock();
      if (folder === null || now.getHours() < FROM_HOUR) return false;
      const name = `yangchen-${formatDay(now)}.tar`;
      try {
        // An encrypted backup has a longer name.
        const isDue = !(await listNightlyBackups(folder)).some((taken) => taken.startsWith(name));
        if (isDue) {
          await take(folder, name, signal);
          await check();
        }
        await notices.clear('backup-failed');
        return isDue;
      } catch (error) {
        if (signal.aborted) return false;
        log.error({ error }, 'the nightly backup failed; it will be tried again within the hour');
        if (!(await check())) await notices.raise('backup-failed');
        return false;
      }
    },
  };
}

const findNewestName = async (folder: string) => (await listNightlyBackups(folder).catch(() => [])).at(-1);

const toDate = (time: string | null | undefined) => (time ? new Date(time) : null);

/**
 * Schedules backups, restore tests and hourly updates of the notices about missing backups. Resolves after the
 * first update.
 */
export async function startNightlyBackups(
  backups: Pick<NightlyBackups, 'check' | 'takeIfDue' | 'testRestoreIfDue'>,
  log: Pick<Log, 'error'>,
) {
  const ending = new AbortController();
  const failed = (error: unknown) => log.error({ error }, 'the nightly backup could not be looked after');
  let running: Promise<void> = Promise.resolve();
  // Restore tests have their own promise chain, so that a long test doesn't delay the next backup.
  let testing: Promise<void> = Promise.resolve();
  const takeIfDue = () =>
    (running = running
      .then(() => backups.takeIfDue(ending.signal))
      .then((isAfterBackup) => {
        testing = testing.then(() => backups.testRestoreIfDue(isAfterBackup, ending.signal)).catch(failed);
      })
      .catch(failed));
  // Runs in parallel with the backup, because this check must also detect a backup that hangs.
  const check = () => backups.check().catch(failed);
  const first = setTimeout(() => void takeIfDue(), FIRST_CHECK_MS);
  const timer = setInterval(() => void Promise.all([check(), takeIfDue()]), CHECK_INTERVAL_MS);
  await check();
  return {
    /** Aborts a running backup, which is repeated after the next start, and a running restore test. */
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      ending.abort();
      await running;
      await testing;
    },
  };
}

/**
 * Checks that backups can be written to the folder.
 * @throws SettingsError with a one-line message
 */
export async function assertBackupFolderWritable(folder: string): Promise<void> {
  const path = join(folder, `.writable-${randomUUID()}`);
  const write = async () => {
    await writeFile(path, '', { flag: 'wx' });
    await rm(path);
  };
  try {
    await withTimeout(WRITABLE_TIMEOUT_MS, write());
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    // Ignores a full disk, so that the server starts and people can sing. The backup will fail and notify the
    // teacher.
    if (code === 'ENOSPC' || code === 'EDQUOT') return;
    if (code === 'ENOENT') throw notWritable(folder, 'does not exist. Create it, or correct the setting.');
    if (name === 'TimeoutError') throw notWritable(folder, 'does not answer. Is its disk mounted?');
    throw notWritable(
      folder,
      `can’t be written to (${code ?? name}). Let this user write there, or choose another folder.`,
    );
  }
}

const notWritable = (folder: string, why: string) => new SettingsError(`BACKUP_DIR: ${folder} ${why}`);

/** Formats the date in the server's time zone, because backups are taken during the local night. */
function formatDay(time: Date) {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
