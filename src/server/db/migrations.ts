import { drizzle } from 'drizzle-orm/node-postgres';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import { join } from 'node:path';
import type pg from 'pg';
import { projectFolder } from '../config/project.ts';

/** Folder of this program's migrations. */
export const migrationsFolder = join(projectFolder, 'src', 'server', 'db', 'migrations');

/**
 * Reads the migrations, oldest first. Drizzle applies those that are newer than the newest in the database.
 * Each release's file combines several migrations, each after a line `--> migration TIME NAME`, so that a
 * database between two releases gets only the missing ones.
 */
export const readMigrations = (): MigrationMeta[] =>
  readMigrationFiles({ migrationsFolder }).flatMap(splitMigrationFile);

export function splitMigrationFile(file: MigrationMeta): MigrationMeta[] {
  const migrations: MigrationMeta[] = [];
  for (const statement of file.sql) {
    const time = /^\s*--> migration (\d+)/.exec(statement)?.[1];
    if (time !== undefined) migrations.push({ ...file, folderMillis: Number(time), sql: [] });
    else if (migrations.length === 0) migrations.push({ ...file, sql: [] });
    migrations.at(-1)!.sql.push(statement);
  }
  return migrations;
}

/**
 * Returns the time at which this program's newest migration was generated. Drizzle sorts migrations by that
 * time.
 */
export const getNewestMigrationTime = () =>
  Math.max(...readMigrations().map(({ folderMillis }) => folderMillis));

/**
 * Applies the missing migrations.
 * @param migration time of the last migration to apply; by default, applies all
 */
export async function applyMigrations(client: pg.Client, migration = Infinity): Promise<void> {
  const wanted = readMigrations().filter(({ folderMillis }) => folderMillis <= migration);
  // Calls the method behind Drizzle's `migrate` directly, because `migrate` would pass it files that are not
  // split.
  const { dialect, session } = drizzle(client) as unknown as {
    dialect: { migrate(migrations: MigrationMeta[], session: unknown, config: object): Promise<void> };
    session: unknown;
  };
  await dialect.migrate(wanted, session, { migrationsFolder });
}

/** Error for a database that a newer version of the program has migrated. */
export class NewerDatabaseError extends Error {
  constructor() {
    super(
      'This database was last used by a newer version of Yangchen. Start that version again, or restore the backup ' +
        'of database and media from before the update. Nothing was changed.',
    );
    this.name = 'NewerDatabaseError';
  }
}

/**
 * Checks that the database has no migration newer than the newest of this program.
 * @throws NewerDatabaseError
 */
export async function assertDatabaseNotNewer(database: Pick<pg.ClientBase, 'query'>): Promise<void> {
  // Drizzle's default table for applied migrations.
  const { rows } = await database.query<{ isThere: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`,
  );
  if (!rows[0]?.isThere) return;
  const newest = getNewestMigrationTime();
  const newer = await database.query(
    'select 1 from drizzle.__drizzle_migrations where created_at > $1 limit 1',
    [newest],
  );
  if (newer.rows.length > 0) throw new NewerDatabaseError();
}
