import { drizzle } from 'drizzle-orm/node-postgres';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import { join } from 'node:path';
import type pg from 'pg';
import { projectFolder } from '../config/project.ts';

/** The folder of this program's migrations. */
export const migrationsFolder = join(projectFolder, 'src', 'server', 'db', 'migrations');

/**
 * Reads the migrations, oldest first.
 *
 * Drizzle applies those that are newer than the newest in the database. The file of a release joins several, each below
 * a line `--> migration TIME NAME`, so that a database which is between two releases gets only the rest.
 */
export const readMigrations = (): MigrationMeta[] =>
  readMigrationFiles({ migrationsFolder }).flatMap(separateMigrations);

export function separateMigrations(file: MigrationMeta): MigrationMeta[] {
  const migrations: MigrationMeta[] = [];
  for (const statement of file.sql) {
    const time = /^\s*--> migration (\d+)/.exec(statement)?.[1];
    if (time !== undefined) migrations.push({ ...file, folderMillis: Number(time), sql: [] });
    else if (migrations.length === 0) migrations.push({ ...file, sql: [] });
    migrations.at(-1)!.sql.push(statement);
  }
  return migrations;
}

/** When the newest migration of this program was generated, which is how drizzle orders them. */
export const newestKnownMigration = () =>
  Math.max(...readMigrations().map(({ folderMillis }) => folderMillis));

/** Applies the migrations that the database lacks, up to and including `migration`. */
export async function migrateTo(client: pg.Client, migration = Infinity): Promise<void> {
  const wanted = readMigrations().filter(({ folderMillis }) => folderMillis <= migration);
  // What drizzle's `migrate` does with the files.
  const { dialect, session } = drizzle(client) as unknown as {
    dialect: { migrate(migrations: MigrationMeta[], session: unknown, config: object): Promise<void> };
    session: unknown;
  };
  await dialect.migrate(wanted, session, { migrationsFolder });
}
