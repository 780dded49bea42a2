import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { migrateDatabase, openDatabase } from '../db/database.ts';
import { withDedicatedConnection } from '../db/dedicated-connection.ts';
import { runStatement } from '#testing/postgres.ts';
import { streamMediaRows } from './media-rows.ts';

test('streams media rows in the byte order of their names under any collation', async () => {
  const postgres = inject('postgres');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await runStatement(
    postgres,
    `create database ${database} template template0 locale_provider icu icu_locale 'en-US'`,
  );
  const opened = openDatabase({ ...postgres, database }, () => undefined);
  try {
    await migrateDatabase(opened);
    const names = ['aa-x.wav', 'aa.wav', 'aaB.wav', 'aa_x.wav', 'aab.wav'];
    for (const name of names)
      await opened.pool.query(
        `insert into media_files (name, slot, content_type, size, sha256) values ($1, 'recording-audio', 'audio/wav', 9, 'x')`,
        [name],
      );
    const { rows } = await opened.pool.query<{ name: string }>('select name from media_files order by name');
    expect(rows.map(({ name }) => name)).not.toEqual(names);
    const read = await withDedicatedConnection(opened.connection, (client) =>
      Array.fromAsync(streamMediaRows(client, 'share')),
    );
    expect(read.map(({ name }) => name)).toEqual(names);
  } finally {
    await opened.close();
    await runStatement(postgres, `drop database ${database} with (force)`);
  }
});
