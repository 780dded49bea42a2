import type { Readable } from 'node:stream';
import { count, inArray, isNotNull } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { mediaFiles } from '../db/schema.ts';
import { AppError, createNotFoundError } from '#shared/errors.ts';
import { FILE_DAMAGED_MESSAGE } from '#shared/media.ts';
import type { Clock } from '../clock.ts';
import { STORAGE_UNREACHABLE_MESSAGE } from '../data-folder/data-folder.ts';
import type { Log } from '../log.ts';
import type { NoticesService } from '../notices.ts';
import { toFileBatches, type ComparableMediaRow, findMediaRowsByName } from './media-rows.ts';
import { pipeThrough } from './pipe-through.ts';
import type { MediaStore } from './store.ts';

/** Maximum number of damaged files whose names are returned. */
const MAX_NAMED_FILES = 20;

type Row = typeof mediaFiles.$inferSelect;
type Damage = Row['damage'];

export type FileChecks = ReturnType<typeof createFileChecks>;

type Deps = {
  db: Db;
  store: MediaStore;
  notices: NoticesService;
  log: Pick<Log, 'info' | 'error'>;
  clock: Clock;
};

/** Creates the checks that compare stored files with the size and SHA-256 measured at upload. */
export function createFileChecks({ db, store, notices, log, clock }: Deps) {
  /**
   * Records the same result for all these files.
   * @returns how many of them have a row, and whether the result is new for any of them
   */
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

  async function recordOne(file: ComparableMediaRow, damage: Damage): Promise<{ isKnown: boolean }> {
    const { known, isNews } = await record([file], damage);
    if (isNews) await updateNotice();
    return { isKnown: known > 0 };
  }

  async function updateNotice() {
    const { missing, changed } = await damaged();
    if (missing + changed > 0) await notices.raise('files-damaged', { missing, changed });
    else await notices.clear('files-damaged');
  }

  /**
   * Returns how many files are missing and how many have changed, and up to `MAX_NAMED_FILES` of their names
   * in alphabetical order.
   */
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
      .limit(MAX_NAMED_FILES);
    const countDamage = (damage: Damage) => counts.find((row) => row.damage === damage)?.files ?? 0;
    return {
      missing: countDamage('missing'),
      changed: countDamage('changed'),
      names: named.map(({ name }) => name),
    };
  }

  /**
   * Compares a file with its row, by reading the whole file.
   * @throws AppError 'unavailable' if the store can't be reached, which doesn't mean that the file is damaged
   */
  const look = (file: ExpectedFile, signal?: AbortSignal) =>
    missingIfUnreadable(async () =>
      (await store.sizeOf(file.name)) === null
        ? MISSING
        : compareFile(file, await store.digest(file.name, signal)),
    );

  /**
   * Reads a file again after the store failed to send exactly the expected bytes, and records the result. A
   * single wrong response doesn't prove that the file is damaged.
   * @returns the error to throw
   */
  async function findDamage(file: ComparableMediaRow): Promise<AppError> {
    const { damage } = await look(file);
    if (!damage) {
      log.error({ name: file.name }, 'the media store sent less of a file than it holds');
      return new AppError('unavailable', STORAGE_UNREACHABLE_MESSAGE, { retryAfter: 5 });
    }
    const { isKnown } = await recordOne(file, damage);
    return isKnown ? new AppError('unavailable', FILE_DAMAGED_MESSAGE) : createNotFoundError();
  }

  /**
   * Yields exactly `length` bytes. Throws if there are more or fewer. Without this check, a response that ended
   * early would seem complete.
   */
  async function* exactly(part: Readable, file: ComparableMediaRow, length: number) {
    let left = length;
    try {
      for await (const chunk of part as AsyncIterable<Buffer>) {
        left -= chunk.length;
        if (left < 0) break;
        yield chunk;
      }
    } catch (error) {
      throw isReadError(error) ? await findDamage(file) : error;
    }
    if (left !== 0) throw await findDamage(file);
  }

  return {
    damaged,

    /** Records results without updating the teacher's notice. */
    record,
    updateNotice,

    look,

    /** Reads the files with these names again, records the results, and updates the teacher's notice. */
    async recheck(names: string[]): Promise<void> {
      for await (const batch of toFileBatches(names))
        for (const file of await findMediaRowsByName(db, batch))
          await record([file], (await look(file)).damage);
      await updateNotice();
    },

    /**
     * Throws if a file is known to be damaged. If the file is marked as missing, looks it up again, and
     * verifies it before it is served.
     * @throws AppError 'unavailable'
     */
    async assertIntact(file: ComparableMediaRow): Promise<void> {
      let { damage } = file;
      if (damage === 'missing') {
        ({ damage } = await missingIfUnreadable(async () =>
          compareFile(file, await store.digest(file.name)),
        ));
        await recordOne(file, damage);
      }
      if (damage) throw new AppError('unavailable', FILE_DAMAGED_MESSAGE);
    },

    /**
     * Opens bytes `start` to `end` of a file, inclusive. The stream fails if it ends early.
     * @throws AppError 'unavailable' if the file is missing or its length differs; 'not-found' if its row has
     * just been deleted
     */
    async open(file: ComparableMediaRow, range: { start: number; end: number }): Promise<Readable> {
      const opened = await store.open(file.name, range);
      if (opened?.size === file.size)
        return pipeThrough(opened.stream, (part) => exactly(part, file, getRangeLength(range)));
      opened?.stream.destroy();
      throw await findDamage(file);
    },

    /**
     * Reads bytes `start` to `end` into memory, inclusive.
     * @throws like `open`, and also if there are fewer bytes
     */
    async read(file: ComparableMediaRow, range: { start: number; end: number }): Promise<Buffer> {
      const found = await store.read(file.name, range).catch(nullIfUnreadable);
      if (found?.size === file.size && found.bytes.length === getRangeLength(range)) return found.bytes;
      throw await findDamage(file);
    },
  };
}

type ExpectedFile = Pick<Row, 'name' | 'size' | 'sha256'>;

/** Result of a comparison. `size` is null if the file is missing or the disk can't read it. */
export type FileComparison = { damage: Damage; size: number | null };

const MISSING: FileComparison = { damage: 'missing', size: null };

function compareFile(file: ExpectedFile, found: { size: number; sha256: string } | null): FileComparison {
  if (!found) return MISSING;
  const isWhole = found.size === file.size && found.sha256 === file.sha256;
  return { damage: isWhole ? null : 'changed', size: found.size };
}

const getRangeLength = ({ start, end }: { start: number; end: number }) => end - start + 1;

async function missingIfUnreadable(look: () => Promise<FileComparison>): Promise<FileComparison> {
  return (await look().catch(nullIfUnreadable)) ?? { damage: 'changed', size: null };
}

function nullIfUnreadable(error: unknown): null {
  if (isReadError(error)) return null;
  throw error;
}

/** Returns whether the disk failed to read the file's sectors. */
const isReadError = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EIO';
