import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Db } from '../db/database.ts';
import { acquireSweepLock, tryAcquireSweepLock } from '../db/advisory-locks.ts';
import type { Clock } from '../clock.ts';
import type { NoticesService } from '../notices.ts';
import { toFileBatches, findFileNamesWithRow } from './media-rows.ts';
import type { MediaStore, StoredFile } from './store.ts';

/**
 * Limits for the number of files that a sweep may move. Crashes leave few files behind. So if both limits are
 * exceeded, something else is wrong, and no file is moved.
 */
const MAX_MOVED_FILES = 10;
const MAX_MOVED_SHARE = 0.1;

/** Number of days for which a file set aside can be restored, counted as described at `beginDay`. */
const DAYS_ASIDE = 30;

/** Collector of files without a row. It lists one file more than may be moved, and only counts the rest. */
export type OrphanedFileCollector = ReturnType<typeof createOrphanedFileCollector>;

export function createOrphanedFileCollector(rows: number) {
  const most = Math.max(MAX_MOVED_FILES, Math.ceil((rows * MAX_MOVED_SHARE) / (1 - MAX_MOVED_SHARE)));
  const files: StoredFile[] = [];
  let more = 0;
  return {
    files,
    countRest: () => more,
    add(file: StoredFile) {
      if (files.length <= most) files.push(file);
      else more += 1;
    },
  };
}

export type SweepResult = {
  /** Files that still exist and still have no row. */
  files: StoredFile[];
  /** Names of the files that were set aside. */
  setAside: Set<string>;
  /** True if no file was moved, because there were too many. */
  isHeld: boolean;
};

export type SweepTask = {
  /** Whether to make safe repairs. If false, nothing is changed. */
  repair: boolean;
  /**
   * Whether this is the daily maintenance, which pauses for as long as it has worked, to leave CPU and disk
   * to the users. It also begins a day for files set aside (see `beginDay`), and deletes days that are too
   * old.
   */
  isMaintenance: boolean;
  /** Time to wait, in ms, so that files whose rows were just deleted can disappear. */
  settleMs?: number;
  signal?: AbortSignal;
  /** Called before waiting for another process that is setting files aside. */
  onWait?(): void;
};

type Deps = { db: Db; store: MediaStore; notices: NoticesService; clock: Clock };

/**
 * Rechecks the collected files. If `repair` is set, sets aside those that still have no row. Maintenance also
 * deletes files that were set aside more than `DAYS_ASIDE` runs ago. If too many files have no row, does
 * neither.
 * @param totalFiles number of files in the store
 */
export async function sweepOrphanedFiles(
  { db, store, notices, clock }: Deps,
  { repair, isMaintenance, settleMs = 0, signal, onWait }: SweepTask,
  { client, unnamed, totalFiles }: { client: pg.Client; unnamed: OrphanedFileCollector; totalFiles: number },
): Promise<SweepResult> {
  const put = new Set<string>();
  if (unnamed.files.length > 0) {
    // Waits for another process that is setting files aside. Otherwise, each process would try to move files
    // that the other has already moved.
    if (repair && !(await tryAcquireSweepLock(client))) {
      onWait?.();
      await acquireSweepLock(client);
    }
    await sleep(settleMs, undefined, { signal });
  }
  const files = await findStillUnnamed(db, store, unnamed.files);
  const many = files.length + unnamed.countRest();
  const isHeld = many > MAX_MOVED_FILES && many > totalFiles * MAX_MOVED_SHARE;
  if (repair && isHeld) await notices.raise('sweep-held', { files: many, of: totalFiles });
  if (repair && !isHeld) await notices.clear('sweep-held');
  if (repair && !isHeld && (isMaintenance || files.length > 0)) {
    const today = await beginDay(store, clock);
    for (const { name } of files) {
      signal?.throwIfAborted();
      if (await store.aside.put(name, today)) put.add(name);
    }
  }
  if (isMaintenance && !isHeld) await deleteOldDays(store);
  return { files, setAside: put, isHeld };
}

async function findStillUnnamed(db: Db, store: MediaStore, files: StoredFile[]): Promise<StoredFile[]> {
  const still: StoredFile[] = [];
  for await (const batch of toFileBatches(files)) {
    const named = await findFileNamesWithRow(db, batch);
    for (const file of batch)
      if (!named.has(file.name) && (await store.sizeOf(file.name)) !== null) still.push(file);
  }
  return still;
}

type SetAsideStore = Pick<MediaStore, 'aside'>;

/**
 * Sets a file aside under the current day.
 * @returns false if there is no such file
 */
export const setFileAside = async (store: SetAsideStore, clock: Clock, name: string): Promise<boolean> =>
  store.aside.put(name, await beginDay(store, clock));

/**
 * Creates the folder for files set aside today, unless it exists, and returns its day. Files expire after
 * DAYS_ASIDE such folders, not after as many days by the clock. A run creates at most one, so a clock that is
 * wrong by a year in one run deletes files at most one day early. The day is never earlier than the latest one.
 */
async function beginDay({ aside }: SetAsideStore, clock: Clock): Promise<string> {
  const today = getLaterDay(clock().toISOString().slice(0, 10), (await aside.days()).at(-1));
  await aside.begin(today);
  return today;
}

async function deleteOldDays({ aside }: SetAsideStore) {
  const before = (await aside.days()).slice(0, -1);
  for (const day of before.slice(0, -DAYS_ASIDE)) await aside.deleteDay(day);
}

const getLaterDay = (today: string, before = '') => (before > today ? before : today);
