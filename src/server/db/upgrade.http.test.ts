import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { runStatement, TEMPLATE_DATABASE } from '#testing/postgres.ts';
import { migrateDatabase, openDatabase } from './database.ts';

// Databases created by the releases. docs/testing.md describes how these files were made.
const testing = join(import.meta.dirname, '../../testing');
const FIXTURES = {
  '0.1.0': join(testing, 'first-release', 'database.sql'),
  '0.2.0': join(testing, 'release-0.2.0.sql'),
};

const postgres = inject('postgres');
const template = openDatabase({ ...postgres, database: TEMPLATE_DATABASE }, () => undefined, { size: 1 });
afterAll(() => template.close());

/** Restores a release's database under a new name and upgrades it. */
async function upgradeFrom(release: keyof typeof FIXTURES) {
  const database = `upgrade_${randomUUID().replaceAll('-', '')}`;
  await runStatement(postgres, `create database ${database} template template0`);
  await runStatement({ ...postgres, database }, await readFile(FIXTURES[release], 'utf8'));
  const opened = openDatabase({ ...postgres, database }, () => undefined, { size: 1 });
  await migrateDatabase(opened);
  return opened;
}

describe.each(['0.1.0', '0.2.0'] as const)('a database from version %s', async (release) => {
  const upgraded = await upgradeFrom(release);
  afterAll(() => upgraded.close());

  test('an upgraded database has the schema of a new database', async () => {
    const schema = await describeSchema(upgraded.pool);
    expect(schema.length).toBeGreaterThan(300);
    expect(schema).toEqual(await describeSchema(template.pool));
  });

  test('a second start does not migrate an upgraded database again', async () => {
    const journal = async () =>
      (await upgraded.pool.query('select * from drizzle.__drizzle_migrations order by id')).rows;
    const before = await journal();
    await migrateDatabase(upgraded);
    expect(await journal()).toEqual(before);
  });
});

describe('upgrading the rows of version 0.2.0', async () => {
  const upgraded = await upgradeFrom('0.2.0');
  afterAll(() => upgraded.close());
  const rows = async (query: string) => (await upgraded.pool.query<object>(query)).rows;

  test('the upgrade records a melody’s old playback file as its ‘full’ copy', async () => {
    expect(await rows(`select copy, copy_of from media_files where slot = 'melody-playback'`)).toEqual([
      { copy: 'full', copy_of: expect.stringMatching(/\.mp3$/) as string },
    ]);
  });

  test('the upgrade queues a copy job for every original audio file', async () => {
    expect(
      await rows('select slot from copy_jobs join media_files on name = original order by copy_jobs.id'),
    ).toEqual([{ slot: 'melody-audio' }, { slot: 'recording-audio' }, { slot: 'recording-audio' }]);
  });

  test('the upgrade queues a job that finds the lines in a recording of a timed melody', async () => {
    expect(await rows('select recording_id from line_jobs')).toEqual([{ recording_id: 1 }]);
  });

  test('the upgrade starts the 14-day password limit only for users who never signed in', async () => {
    const query = `select username, last_sign_in_at is not null as has_signed_in, password_issued_at > now() - interval '1 hour' as has_limit
      from users order by username`;
    expect(await rows(query)).toEqual([
      { username: 'khandro', has_signed_in: true, has_limit: null },
      { username: 'pema', has_signed_in: false, has_limit: true },
      { username: 'tashi', has_signed_in: true, has_limit: null },
    ]);
  });

  test('the upgrade dismisses the first steps for a teacher who has melodies', async () => {
    expect(await rows('select username from users where dismissed_first_steps')).toEqual([
      { username: 'khandro' },
    ]);
  });

  test('the upgrade sets a session’s last use to the time of its last extension', async () => {
    const query = `select count(*)::int from sessions where seen_at = expire - interval '30 days'`;
    expect(await rows(query)).toEqual([{ count: 2 }]);
  });
});

/** Describes everything in the schema, one definition per line, in a fixed order. */
async function describeSchema(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ definition: string }>(`
    select format('column %s.%s %s %s %s', attrelid::regclass, attname, format_type(atttypid, atttypmod),
        pg_get_expr(adbin, adrelid), attnotnull) as definition
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all select format('constraint %s %s', conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
    union all select extname from pg_extension
    order by 1`);
  return rows.map(({ definition }) => definition);
}
