import { drizzle } from 'drizzle-orm/node-postgres';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import { join } from 'node:path';
import type pg from 'pg';
import { projectFolder } from '../platform/server/project.ts';

/** The folder of this program's migrations. */
export const migrationsFolder = join(projectFolder, 'src', 'db', 'migrations');

/** As drizzle counts migrations: when each was generated. */
export const newestKnownMigration = () =>
  Math.max(...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis));

/** Brings an empty database to where a migration left it; the next start goes on from there. */
export async function migrateTo(client: pg.Client, migration: number): Promise<void> {
  const wanted = readMigrationFiles({ migrationsFolder }).filter(
    ({ folderMillis }) => folderMillis <= migration,
  );
  // What `migrate` of drizzle does with all of them.
  const { dialect, session } = drizzle(client) as unknown as {
    dialect: { migrate(migrations: MigrationMeta[], session: unknown, config: object): Promise<void> };
    session: unknown;
  };
  await dialect.migrate(wanted, session, { migrationsFolder });
}
