import { inArray } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from '../db/database.ts';
import { mediaFiles } from '../db/schema.ts';

type Row = typeof mediaFiles.$inferSelect;
export type ComparableMediaRow = Pick<Row, 'name' | 'size' | 'sha256' | 'damage'>;

/** Maximum number of files per query. */
export const FILE_BATCH_SIZE = 500;

export async function* toFileBatches<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < FILE_BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Returns the rows of these files. The caller passes at most {@link FILE_BATCH_SIZE} names. */
export async function findMediaRowsByName(db: Db, names: string[]): Promise<ComparableMediaRow[]> {
  if (names.length === 0) return [];
  const { name, size, sha256, damage } = mediaFiles;
  return db.select({ name, size, sha256, damage }).from(mediaFiles).where(inArray(name, names)).orderBy(name);
}

export async function findFileNamesWithRow(db: Db, files: { name: string }[]): Promise<Set<string>> {
  const rows = await findMediaRowsByName(
    db,
    files.map(({ name }) => name),
  );
  return new Set(rows.map(({ name }) => name));
}

/** Row of a file. `sha256` is null unless the file's bytes should be compared. */
export type MediaRow = Pick<Row, 'name' | 'size' | 'damage'> & { sha256: string | null };

const PAGE_SIZE = 1_000;

/** Number of daily checks that it takes to read every file once. */
const CHECKS_PER_FULL_READ = 30;
/**
 * Minimum number of files that each check reads. An installation with fewer files reads all of them every day.
 */
const MIN_FILES_PER_CHECK = 100;

/**
 * Yields a snapshot of the rows, sorted by the bytes of their names, regardless of the database's collation.
 * PostgreSQL keeps the snapshot until the connection ends. Opens no transaction, because reading may take all
 * night.
 * @param read which rows include `sha256`; with 'share', only those of the least recently checked files
 */
export async function* streamMediaRows(
  client: pg.ClientBase,
  read: 'all' | 'share' | 'none',
): AsyncGenerator<MediaRow> {
  await client.query(`
    declare media_rows no scroll cursor with hold for
    select name, size, damage, case when ${IS_READ[read]} then sha256 end as sha256
    from media_files order by name collate "C"`);
  for (;;) {
    const { rows } = await client.query<MediaRow>(`fetch ${PAGE_SIZE} from media_rows`);
    yield* rows;
    if (rows.length < PAGE_SIZE) return;
  }
}

const IS_READ = {
  all: 'true',
  none: 'false',
  share: `row_number() over (order by checked_at asc nulls first, name)
    <= greatest(${MIN_FILES_PER_CHECK}, ceil(count(*) over () / ${CHECKS_PER_FULL_READ}.0))`,
};
