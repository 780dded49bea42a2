import type { Readable } from 'node:stream';
import { count, inArray, isNotNull } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { mediaFiles } from '../../../db/schema.ts';
import { AppError, notFound } from '../../contract/errors.ts';
import { FILE_DAMAGED } from '../../contract/media.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Notices } from '../notices.ts';
import type { MediaStore } from './store.ts';

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
  /** @returns how many of them have a row, and whether that is news */
  async function record(files: readonly Pick<Row, 'name' | 'damage'>[], damage: Damage) {
    if (files.length === 0) return { known: 0, isNews: false };
    const rows = await db
      .update(mediaFiles)
      .set({ damage, checkedAt: clock() })
      .where(
        inArray(
          mediaFiles.name,
          files.map(({ name }) => name),
        ),
      )
      .returning({ name: mediaFiles.name });
    const known = new Set(rows.map(({ name }) => name));
    const news = files.filter((file) => known.has(file.name) && file.damage !== damage);
    for (const { name } of news) {
      if (damage) log.error({ name, damage }, `a stored file is ${damage}; it is not served`);
      else log.info({ name }, 'a damaged file is intact again');
    }
    return { known: known.size, isNews: news.length > 0 };
  }

  async function recordOne(file: CheckedFile, damage: Damage): Promise<{ isKnown: boolean }> {
    const { known, isNews } = await record([file], damage);
    if (isNews) await updateNotice();
    return { isKnown: known > 0 };
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

  async function foundDamaged(file: CheckedFile, found: object | null) {
    const { isKnown } = await recordOne(file, found ? 'changed' : 'missing');
    return isKnown ? new AppError('unavailable', FILE_DAMAGED) : notFound();
  }

  return {
    damaged,

    /** Without telling the teacher yet. */
    record,
    updateNotice,

    /**
     * Reads the whole file, if it is in its place.
     * @throws AppError 'unavailable' when the store is out of reach, which says nothing about the file
     */
    look: (file: Described, signal?: AbortSignal) =>
      unlessUnreadable(async () =>
        (await store.sizeOf(file.name)) === null
          ? MISSING
          : compare(file, await store.digest(file.name, signal)),
      ),

    /**
     * Refuses a file that is known to be damaged; a missing one is looked for, and verified before it is trusted.
     * @throws AppError 'unavailable'
     */
    async mustBeWhole(file: CheckedFile): Promise<void> {
      let { damage } = file;
      if (damage === 'missing') {
        ({ damage } = await unlessUnreadable(async () => compare(file, await store.digest(file.name))));
        await recordOne(file, damage);
      }
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

type Described = Pick<Row, 'name' | 'size' | 'sha256'>;

/** What is found of a file; its size is null if there is none, or if the disk can't read it. */
export type Look = { damage: Damage; size: number | null };

const MISSING: Look = { damage: 'missing', size: null };

function compare(file: Described, found: { size: number; sha256: string } | null): Look {
  if (!found) return MISSING;
  const isWhole = found.size === file.size && found.sha256 === file.sha256;
  return { damage: isWhole ? null : 'changed', size: found.size };
}

async function unlessUnreadable(look: () => Promise<Look>): Promise<Look> {
  try {
    return await look();
  } catch (error) {
    // EIO: the disk can't read its own sectors any more.
    if ((error as NodeJS.ErrnoException).code === 'EIO') return { damage: 'changed', size: null };
    throw error;
  }
}
