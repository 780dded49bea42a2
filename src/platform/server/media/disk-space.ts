import { statfs } from 'node:fs/promises';
import { AppError } from '../../contract/errors.ts';
import type { Log } from '../log.ts';
import type { Notices } from '../notices.ts';

/** What is free for us on a disk, and what it holds in all, in bytes; a `total` of 0 where nobody can say. */
export type DiskSize = { free: number; total: number };

export type DiskSpace = ReturnType<typeof diskSpace>;

export const STORAGE_FULL =
  'There is no room on the server for new recordings or files just now. What was sent before is safe, and the problem has been reported. This one can be sent once room has been made.';

const DEFAULT_MIN_FREE = 1e9;
const DEFAULT_MIN_FREE_SHARE = 0.03;
/** A disk that hovers at the mark must not be reported again and again. */
const FINE_AGAIN_FROM = 1.1;
const REMEMBERED_FOR_MS = 1_000;
const TRY_AGAIN_SECONDS = 300;

export const storageFull = () =>
  new AppError('storage-full', STORAGE_FULL, { retryAfter: TRY_AGAIN_SECONDS });

/** Measures the disk that holds a folder. */
export const diskOf = (folder: string) => async (): Promise<DiskSize> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
};

/**
 * Keeps the last of the disk free for the database, which must never be the one that finds the disk full. Whatever
 * writes files or large rows asks here first.
 * @param minFree bytes; null: the smaller of 1 GB and 3 % of the disk
 */
export function diskSpace(deps: {
  measure: () => Promise<DiskSize>;
  minFree: number | null;
  notices: Pick<Notices, 'raise' | 'clear'>;
  log: Log;
  /** How long a measurement holds good. */
  rememberedForMs?: number;
}) {
  const { measure, minFree, notices, log, rememberedForMs = REMEMBERED_FOR_MS } = deps;
  let last: { at: number; size: Promise<DiskSize> } | null = null;
  /** Bytes of the writes under way. */
  let promised = 0;
  /** Bytes written since the last measurement, which it doesn't know of. */
  let unseen = 0;
  let isLow = false;
  /** The largest write refused since it is low: the disk can hover above the mark because that was refused. */
  let refused = 0;
  /** Whether the notice stands; null while that is not known. */
  let stands: boolean | null = null;
  let reporting: Promise<void> = Promise.resolve();

  async function size(): Promise<DiskSize & { least: number }> {
    const now = performance.now();
    if (!last || now - last.at >= rememberedForMs) {
      unseen = 0;
      last = { at: now, size: measure() };
      last.size.catch(() => (last = null));
    }
    const { free, total } = await last.size;
    const least = minFree ?? Math.min(DEFAULT_MIN_FREE, total * DEFAULT_MIN_FREE_SHARE);
    return total === 0 ? { free: Infinity, total, least: 0 } : { free, total, least };
  }

  /** Says it once in the log when it gets low and once when it is over; the teacher's notice follows. */
  function report(nowLow: boolean, free: number, least: number): Promise<void> {
    const hasChanged = nowLow !== isLow;
    isLow = nowLow;
    if (hasChanged && isLow)
      log.warn({ free, minFree: least }, 'the disk is nearly full: new recordings and files are refused');
    if (hasChanged && !isLow) log.info({ free, minFree: least }, 'the disk has room again');
    // While it is low it is raised each time, for another process may have cleared it as it started.
    if (stands === false && !isLow) return reporting;
    reporting = reporting.then(async () => {
      stands = null;
      try {
        await (nowLow ? notices.raise('disk-low', { least: Math.round(least) }) : notices.clear('disk-low'));
        stands = nowLow;
      } catch (error) {
        log.warn({ error }, 'the notice about the disk could not be kept; it is tried again');
      }
    });
    return reporting;
  }

  /** @returns gives the promise back; nothing may come between the look and the promise */
  async function promise(bytes: number, others = 0): Promise<() => void> {
    const { free, least } = await size();
    if (free - promised - unseen - others - bytes >= least) {
      promised += bytes;
      return () => (promised -= bytes);
    }
    // Without those that are under way, and may yet be given up.
    if (free - bytes < least) {
      refused = Math.max(refused, bytes);
      if (!isLow) void report(true, free, least);
    }
    throw storageFull();
  }

  return {
    /**
     * @param bytes that are to be written soon
     * @param others bytes that others have announced and not written yet
     * @throws AppError 'storage-full'
     */
    async mustHaveRoom(bytes: number, others: number): Promise<void> {
      const giveBack = await promise(bytes, others);
      giveBack();
    },

    /**
     * Writes so many bytes, at most; until it has ended they count as written.
     * @throws AppError 'storage-full' before anything is written
     */
    async withRoomFor<T>(bytes: number, write: () => Promise<T>): Promise<T> {
      const giveBack = await promise(bytes);
      try {
        return await write();
      } finally {
        giveBack();
        unseen += bytes;
      }
    },

    /** As it was at the last check, or has been found since. */
    isLow: () => isLow,

    /** Looks at the disk, and tells log and teacher when it has become low or is fine again. */
    async check(): Promise<void> {
      const { free, least } = await size();
      const isStillLow = isLow && free < least * FINE_AGAIN_FROM + refused;
      const isLowNow = free < least || isStillLow;
      if (!isLowNow) refused = 0;
      await report(isLowNow, free, least);
    },
  };
}

const OUT_OF_SPACE = new Set([
  'ENOSPC',
  'EDQUOT',
  // PostgreSQL's disk_full.
  '53100',
]);

/** Whether a write failed because the disk is full, here or at the database, however it was wrapped on its way. */
export function isOutOfSpace(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && OUT_OF_SPACE.has(String(at.code))) return true;
  }
  return false;
}

/** Checks the disk at intervals, so that the teacher hears of it before somebody has to be refused. */
export function watchDisk(disk: DiskSpace, log: Log, everyMs = 30_000) {
  let running: Promise<void> = Promise.resolve();
  const look = () => {
    running = disk.check().catch((error: unknown) => {
      log.warn({ error }, 'the disk could not be measured');
    });
  };
  look();
  const timer = setInterval(look, everyMs).unref();
  return {
    /** Resolves when the check that is under way has ended. */
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
