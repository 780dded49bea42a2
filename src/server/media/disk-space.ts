import { statfs } from 'node:fs/promises';
import { AppError } from '#shared/errors.ts';
import type { Log } from '../log.ts';
import type { NoticesService } from '../notices.ts';
import { runRepeatedly } from '../jobs/repeat.ts';

/** Free and total bytes of a disk. `total` is 0 if the size is unknown. */
export type DiskSpace = { free: number; total: number };

export type DiskSpaceMonitor = ReturnType<typeof createDiskSpaceMonitor>;

export const STORAGE_FULL_MESSAGE =
  'The server is full and can’t take new recordings or files right now. Everything sent before is safe. We’ve reported the problem, so please try again later.';

const DEFAULT_MIN_FREE_BYTES = 1e9;
const DEFAULT_MIN_FREE_SHARE = 0.03;
/**
 * Factor by which free space must exceed the reserve before low space counts as recovered. This hysteresis
 * prevents repeated reports if the free space is close to the reserve.
 */
const CLEAR_FACTOR = 1.1;
const CACHE_MS = 1_000;
const RETRY_AFTER_SECONDS = 300;

export const createStorageFullError = () =>
  new AppError('storage-full', STORAGE_FULL_MESSAGE, { retryAfter: RETRY_AFTER_SECONDS });

/** Returns a function that measures the disk of a folder. */
export const createDiskMeter = (folder: string) => async (): Promise<DiskSpace> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
};

/**
 * Returns the reserve: the bytes that must stay free on a disk.
 * @param minFree size of the reserve in bytes; null for the smaller of 1 GB and 3 % of the disk
 */
export const getDiskReserve = ({ total }: Pick<DiskSpace, 'total'>, minFree: number | null) =>
  minFree ?? Math.min(DEFAULT_MIN_FREE_BYTES, total * DEFAULT_MIN_FREE_SHARE);

/**
 * Creates a monitor that keeps a reserve of disk space free for the database, which must never run out of
 * space. Code that writes files or large rows checks here before it writes.
 * @param minFree as for `getDiskReserve`
 */
export function createDiskSpaceMonitor(deps: {
  measure: () => Promise<DiskSpace>;
  minFree: number | null;
  notices: Pick<NoticesService, 'raise' | 'clear'>;
  log: Log;
  /** Time for which a measurement is reused, in ms. */
  rememberedForMs?: number;
}) {
  const { measure, minFree, notices, log, rememberedForMs = CACHE_MS } = deps;
  let last: { at: number; size: Promise<DiskSpace> } | null = null;
  /** Bytes reserved by writes in flight. */
  let reserved = 0;
  /** Bytes written since the last measurement, which doesn't include them. */
  let unseen = 0;
  let isLow = false;
  /**
   * Size of the largest write rejected while space is low, in bytes. Space counts as recovered only once such
   * a write would fit. Otherwise, free space could be above the reserve just because that write was rejected.
   */
  let refused = 0;
  /** Whether the teacher's notice is raised; null if unknown. */
  let stands: boolean | null = null;
  let reporting: Promise<void> = Promise.resolve();

  async function size(): Promise<DiskSpace & { least: number }> {
    const now = performance.now();
    if (!last || now - last.at >= rememberedForMs) {
      unseen = 0;
      last = { at: now, size: measure() };
      last.size.catch(() => (last = null));
    }
    const { free, total } = await last.size;
    const least = getDiskReserve({ total }, minFree);
    return total === 0 ? { free: Infinity, total, least: 0 } : { free, total, least };
  }

  /** Logs once when space runs low and once when it recovers, and updates the teacher's notice. */
  function report(nowLow: boolean, free: number, least: number): Promise<void> {
    const hasChanged = nowLow !== isLow;
    isLow = nowLow;
    if (hasChanged && isLow)
      log.warn({ free, minFree: least }, 'the disk is nearly full: new recordings and files are refused');
    if (hasChanged && !isLow) log.info({ free, minFree: least }, 'the disk has room again');
    // Skips the update only if space is not low and the notice is known to be cleared. While space is low,
    // raises the notice at each check, because another process may have cleared it at startup.
    if (stands === false && !isLow) return reporting;
    reporting = reporting.then(async () => {
      stands = null;
      try {
        await (nowLow ? notices.raise('disk-low', { least: Math.round(least) }) : notices.clear('disk-low'));
        stands = nowLow;
      } catch (error) {
        log.warn({ error }, 'the notice about the disk could not be saved; it will be retried');
      }
    });
    return reporting;
  }

  /**
   * Reserves space. There is no `await` between the check and the reservation, because otherwise concurrent
   * writes could reserve the same space.
   * @returns a function that releases the reservation
   * @throws AppError 'storage-full'
   */
  async function reserve(bytes: number, others = 0): Promise<() => void> {
    const { free, least } = await size();
    if (free - reserved - unseen - others - bytes >= least) {
      reserved += bytes;
      return () => (reserved -= bytes);
    }
    // Counts space as low only if the write would not fit even without the reservations of writes in flight.
    // Those may still be released.
    if (free - unseen - bytes < least) {
      refused = Math.max(refused, bytes);
      if (!isLow) void report(true, free, least);
    }
    throw createStorageFullError();
  }

  return {
    /**
     * Checks whether a write would fit.
     * @param bytes size of the write
     * @param others bytes that are reserved elsewhere and not written yet
     * @throws AppError 'storage-full'
     */
    async assertRoom(bytes: number, others: number): Promise<void> {
      const release = await reserve(bytes, others);
      release();
    },

    /**
     * Runs a write of at most `bytes` bytes, which count as used until the next measurement.
     * @throws AppError 'storage-full' before anything is written
     */
    async withReservedRoom<T>(bytes: number, write: () => Promise<T>): Promise<T> {
      const release = await reserve(bytes);
      try {
        return await write();
      } finally {
        release();
        unseen += bytes;
      }
    },

    /** Returns a recent measurement. `least` is the size of the reserve in bytes. */
    size,

    /** Returns whether space was low at the last check or at any write since. */
    isLow: () => isLow,

    /** Checks the disk. If space has run low or recovered, logs it and updates the teacher's notice. */
    async check(): Promise<void> {
      const { free, least } = await size();
      const isStillLow = isLow && free < least * CLEAR_FACTOR + refused;
      const isLowNow = free < least || isStillLow;
      if (!isLowNow) refused = 0;
      await report(isLowNow, free, least);
    },
  };
}

const OUT_OF_SPACE_CODES = new Set([
  'ENOSPC',
  'EDQUOT',
  // SQLSTATE disk_full of PostgreSQL.
  '53100',
]);

/**
 * Returns whether a write failed because the disk is full, here or on the database server, even if the error
 * was wrapped.
 */
export function isOutOfSpaceError(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && OUT_OF_SPACE_CODES.has(String(at.code))) return true;
  }
  return false;
}

/** Checks the disk at intervals, so that the teacher is notified before an upload has to be rejected. */
export const watchDiskSpace = (disk: DiskSpaceMonitor, log: Log, everyMs = 30_000) =>
  runRepeatedly(disk.check, everyMs, (error) => log.warn({ error }, 'the disk could not be measured'));
