import type pg from 'pg';
import { newestKnownMigration } from './migrations.ts';

/** A newer version of the program has changed the schema in ways unknown to this one. */
export class NewerDatabase extends Error {
  constructor() {
    super(
      'This database was last used by a newer version of Yangchen. Start that version again, or restore the backup ' +
        'of database and media from before the update. Nothing was changed.',
    );
    this.name = 'NewerDatabase';
  }
}

/**
 * Compares the latest migration applied to the database with the latest that this program has.
 * @throws NewerDatabase
 */
export async function refuseNewerDatabase(database: Pick<pg.ClientBase, 'query'>): Promise<void> {
  // Where the migrator keeps its journal by default.
  const { rows } = await database.query<{ isThere: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`,
  );
  if (!rows[0]?.isThere) return;
  const newest = newestKnownMigration();
  const newer = await database.query(
    'select 1 from drizzle.__drizzle_migrations where created_at > $1 limit 1',
    [newest],
  );
  if (newer.rows.length > 0) throw new NewerDatabase();
}
