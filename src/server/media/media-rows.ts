import { inArray } from 'drizzle-orm';
import type pg from 'pg';
import type { Db } from '../db/database.ts';
import { mediaFiles } from '../db/schema.ts';

type Row = typeof mediaFiles.$inferSelect;
export type CheckedFile = Pick<Row, 'name' | 'size' | 'sha256' | 'damage'>;

/** Number of files per query. */
export const BATCH = 500;

export async function* batchesOf<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Returns the rows of these files. Call it with at most a batch. */
export async function rowsNamed(db: Db, names: string[]): Promise<CheckedFile[]> {
  if (names.length === 0) return [];
  const { name, size, sha256, damage } = mediaFiles;
  return db.select({ name, size, sha256, damage }).from(mediaFiles).where(inArray(name, names)).orderBy(name);
}

export async function namesWithRow(db: Db, files: { name: string }[]): Promise<Set<string>> {
  const rows = await rowsNamed(
    db,
    files.map(({ name }) => name),
  );
  return new Set(rows.map(({ name }) => name));
}

/** `sha256` is null unless the file's bytes should be read. */
export type MediaRow = Pick<Row, 'name' | 'size' | 'damage'> & { sha256: string | null };

const PAGE = 1_000;

/** Number of daily checks in which every file is read once … */
const ROUNDS_FOR_ALL = 30;
/** … except that each check reads at least this many files, which is all of a small installation. */
const FILES_AT_LEAST = 100;

/**
 * Yields a snapshot of the rows, sorted by the bytes of their names under any collation of the database. The
 * database keeps the snapshot until the connection ends, without an open transaction, because reading may take all
 * night.
 */
export async function* mediaRows(
  client: pg.ClientBase,
  read: 'all' | 'share' | 'none',
): AsyncGenerator<MediaRow> {
  await client.query(`
    declare media_rows no scroll cursor with hold for
    select name, size, damage, case when ${IS_READ[read]} then sha256 end as sha256
    from media_files order by name collate "C"`);
  for (;;) {
    const { rows } = await client.query<MediaRow>(`fetch ${PAGE} from media_rows`);
    yield* rows;
    if (rows.length < PAGE) return;
  }
}

const IS_READ = {
  all: 'true',
  none: 'false',
  share: `row_number() over (order by checked_at asc nulls first, name)
    <= greatest(${FILES_AT_LEAST}, ceil(count(*) over () / ${ROUNDS_FOR_ALL}.0))`,
};
