import type { Readable } from 'node:stream';
import { asc, count, eq, isNotNull, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { mediaFiles } from '../../../db/schema.ts';
import { AppError, notFound } from '../../contract/errors.ts';
import { FILE_DAMAGED } from '../../contract/media.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Notices } from '../notices.ts';
import type { MediaStore } from './store.ts';

/** Every file is checked once in about this many daily checks. */
const DAYS_FOR_ALL = 30;

/** A small installation is checked completely each time. */
const FILES_AT_LEAST = 100;

/** How many damaged files are named; all are counted. */
const NAMED_AT_MOST = 20;

type Row = typeof mediaFiles.$inferSelect;
export type CheckedFile = Pick<Row, 'name' | 'size' | 'sha256' | 'damage'>;
type Damage = Row['damage'];

export type FileChecks = ReturnType<typeof fileChecksOf>;

type Deps = {
  db: Db;
  store: MediaStore;
  notices: Notices;
  log: Pick<Log, 'info' | 'error'>;
  clock: Clock;
};

/** Compares stored files with the size and SHA-256 measured at upload. */
export function fileChecksOf({ db, store, notices, log, clock }: Deps) {
  async function record(file: CheckedFile, damage: Damage): Promise<{ isKnown: boolean }> {
    const rows = await db
      .update(mediaFiles)
      .set({ damage, checkedAt: clock() })
      .where(eq(mediaFiles.name, file.name))
      .returning({ name: mediaFiles.name });
    const isKnown = rows.length > 0;
    if (!isKnown || damage === file.damage) return { isKnown };
    if (damage) log.error({ name: file.name, damage }, `a stored file is ${damage}; it is not served`);
    else log.info({ name: file.name }, 'a damaged file is intact again');
    await updateNotice();
    return { isKnown };
  }

  async function updateNotice() {
    const { missing, changed } = await damaged();
    if (missing + changed > 0) await notices.raise('files-damaged', { missing, changed });
    else await notices.clear('files-damaged');
  }

  /** How many files are damaged, and the names of the first. */
  async function damaged(): Promise<{ missing: number; changed: number; names: string[] }> {
    const counts = await db
      .select({ damage: mediaFiles.damage, files: count() })
      .from(mediaFiles)
      .where(isNotNull(mediaFiles.damage))
      .groupBy(mediaFiles.damage);
    const named = await db
      .select({ name: mediaFiles.name })
      .from(mediaFiles)
      .where(isNotNull(mediaFiles.damage))
      .orderBy(mediaFiles.name)
      .limit(NAMED_AT_MOST);
    const of = (damage: Damage) => counts.find((row) => row.damage === damage)?.files ?? 0;
    return { missing: of('missing'), changed: of('changed'), names: named.map(({ name }) => name) };
  }

  /**
   * Reads a whole file, and records the result.
   * @throws AppError 'unavailable' when the store is out of reach, which says nothing about the file
   */
  async function check(file: CheckedFile, signal?: AbortSignal): Promise<Damage> {
    const damage = await damageOf(file, store, signal);
    await record(file, damage);
    return damage;
  }

  async function foundDamaged(file: CheckedFile, found: object | null) {
    const { isKnown } = await record(file, found ? 'changed' : 'missing');
    return isKnown ? new AppError('unavailable', FILE_DAMAGED) : notFound();
  }

  return {
    damaged,

    /**
     * Checks the least recently checked files, a thirtieth of all or a hundred, one after the other; and before them as
     * many damaged ones, which somebody may have restored.
     */
    async checkShare(signal: AbortSignal): Promise<void> {
      const share = Math.max(FILES_AT_LEAST, Math.ceil((await db.$count(mediaFiles)) / DAYS_FOR_ALL));
      const oldestOf = (which?: SQL) =>
        db
          .select(COLUMNS)
          .from(mediaFiles)
          .where(which)
          .orderBy(sql`${mediaFiles.checkedAt} asc nulls first`, asc(mediaFiles.name))
          .limit(share);
      const known = await oldestOf(isNotNull(mediaFiles.damage));
      const oldest = await oldestOf();
      for (const file of [...known, ...oldest.filter(({ damage }) => damage === null)]) {
        if (signal.aborted) return;
        await check(file, signal);
      }
      // A damaged one may have been deleted together with its owner.
      await updateNotice();
    },

    /**
     * Refuses a file that is known to be damaged; a missing one is looked for, and verified before it is trusted.
     * @throws AppError 'unavailable'
     */
    async mustBeWhole(file: CheckedFile): Promise<void> {
      const damage = file.damage === 'missing' ? await check(file) : file.damage;
      if (damage) throw new AppError('unavailable', FILE_DAMAGED);
    },

    /**
     * Bytes `start` to `end` of a file, inclusive, unless it is missing or its length differs.
     * @throws AppError 'unavailable'; 'not-found' when it was deleted a moment ago
     */
    async open(file: CheckedFile, range: { start: number; end: number }): Promise<Readable> {
      const opened = await store.open(file.name, range);
      if (opened?.size === file.size) return opened.stream;
      opened?.stream.destroy();
      throw await foundDamaged(file, opened);
    },

    /** The same bytes at once. @throws as `open` does */
    async read(file: CheckedFile, range: { start: number; end: number }): Promise<Buffer> {
      const found = await store.read(file.name, range);
      if (found?.size === file.size) return found.bytes;
      throw await foundDamaged(file, found);
    },
  };
}

const COLUMNS = {
  name: mediaFiles.name,
  size: mediaFiles.size,
  sha256: mediaFiles.sha256,
  damage: mediaFiles.damage,
};

async function damageOf(file: CheckedFile, store: MediaStore, signal?: AbortSignal): Promise<Damage> {
  try {
    const found = await store.digest(file.name, signal);
    if (!found) return 'missing';
    return found.size === file.size && found.sha256 === file.sha256 ? null : 'changed';
  } catch (error) {
    // EIO: the disk can't read its own sectors any more.
    if ((error as NodeJS.ErrnoException).code === 'EIO') return 'changed';
    throw error;
  }
}
