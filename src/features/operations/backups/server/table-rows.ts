import { once } from 'node:events';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { BackupInfo, BackupTable } from './archive.ts';

const { escapeIdentifier: quote } = pg;

const SCHEMA = 'public';

/** Returns the program's tables with their stored columns, each table after the tables that it references. */
export async function listTables(client: pg.ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace and n.nspname = $1
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relkind in ('r', 'p') group by c.relname order by c.relname`,
    [SCHEMA],
  );
  const references = await client.query<{ name: string; to: string }>(
    `select distinct conrelid::regclass::text as name, confrelid::regclass::text as to
     from pg_constraint where contype = 'f' and connamespace = $1::regnamespace`,
    [SCHEMA],
  );
  const sorted: BackupTable[] = [];
  const visit = (table: BackupTable, above: readonly string[]) => {
    if (sorted.includes(table) || above.includes(table.name)) return;
    for (const { name, to } of references.rows)
      if (name === table.name) for (const each of rows) if (each.name === to) visit(each, [...above, name]);
    sorted.push(table);
  };
  for (const table of rows) visit(table, []);
  return sorted;
}

export async function listSequences(client: pg.ClientBase): Promise<BackupInfo['sequences']> {
  const { rows } = await client.query<BackupInfo['sequences'][number]>(
    'select sequencename as name, last_value::text as last from pg_sequences where schemaname = $1 order by 1',
    [SCHEMA],
  );
  return rows;
}

/**
 * Minimum size of the chunks in which a table's rows are stored, in bytes. Only the last chunk may be smaller.
 */
const CHUNK_BYTES = 8 * 1024 * 1024;

/** Yields the rows of a table in chunks, in PostgreSQL's text format, which every version can read. */
export async function* readTableRows(
  client: pg.ClientBase,
  { name, columns }: BackupTable,
): AsyncGenerator<Buffer> {
  const stream = client.query(copyTo(`copy ${quote(name)} (${columns.map(quote).join()}) to stdout`));
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(chunks);
    [chunks, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(chunks);
}

/** Empties the tables, because the migrations have inserted rows into some of them. */
export const truncateTables = (client: pg.ClientBase, tables: readonly BackupTable[]) =>
  client.query(`truncate ${tables.map(({ name }) => quote(name)).join()}`);

/**
 * Creates a writer that restores the rows of one table after another, chunk by chunk. Its methods throw the
 * database's first error.
 */
export function createRowWriter(client: pg.ClientBase, tables: readonly BackupTable[]) {
  let current: { name: string; stream: Writable } | null = null;
  let firstError: Error | null = null;

  /**
   * Runs `act`, and throws the database's first error if there was one, because later writes fail with
   * unrelated errors.
   */
  async function withFirstError(act: () => Promise<unknown>) {
    try {
      if (!firstError) await act();
    } catch (error) {
      throw firstError ?? error;
    }
    if (firstError) throw firstError;
  }

  async function finish() {
    const ending = current;
    if (!ending) return;
    await withFirstError(async () => {
      const ended = once(ending.stream, 'finish');
      ending.stream.end();
      await ended;
    });
    current = null;
  }

  return {
    async write(name: string, content: AsyncIterable<Buffer>) {
      if (current?.name !== name) {
        await finish();
        const table = tables.find((each) => each.name === name);
        if (!table) throw new Error(`The backup has rows of a table that it does not name: ${name}`);
        const columns = table.columns.map(quote).join();
        current = { name, stream: client.query(copyFrom(`copy ${quote(name)} (${columns}) from stdin`)) };
        current.stream.on('error', (error: Error) => (firstError ??= error));
      }
      const { stream } = current;
      await withFirstError(async () => {
        for await (const chunk of content) if (!stream.write(chunk)) await once(stream, 'drain');
      });
    },
    finish,
    /** Stops writing the current table, so that the connection can be used again. */
    abandon() {
      // Skips a stream that the database has rejected, because it is already closed.
      if (!firstError) current?.stream.destroy();
      current = null;
    },
  };
}

export async function setSequences(client: pg.ClientBase, sequences: BackupInfo['sequences']) {
  for (const { name, last } of sequences)
    if (last !== null) await client.query('select setval($1::regclass, $2)', [quote(name), last]);
}
