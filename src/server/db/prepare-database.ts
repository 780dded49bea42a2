import { join } from 'node:path';
import pg from 'pg';
import { AppError } from '#shared/errors.ts';
import type { Settings } from '../config/settings.ts';
import { InstallationMismatchError } from '../data-folder/installation-mismatch-error.ts';
import { migrateDatabase, getSqlState, type ConnectionSettings, type Database } from './database.ts';
import { NewerDatabaseError, assertDatabaseNotNewer } from './migrations.ts';
import { isTransactionPooled } from './transaction-pooling.ts';
import { LOCK_TIMEOUT_SQLSTATE, READ_ONLY_SQLSTATE } from './database-errors.ts';

/** Error for a missing or unusable database. The message is for the operator, and contains no password. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError';
}

/**
 * Checks a database and migrates its schema. At startup, this function sends the first query, so its error
 * also explains why a server can't be reached.
 * @param databaseUrl null for the embedded database
 * @param mayBeUsed checks, before anything is changed, whether this installation may use the database; throws
 * InstallationMismatchError, or AppError if the media can't be reached
 * @throws DatabaseUnusableError, NewerDatabaseError, InstallationMismatchError, AppError
 */
export async function prepareDatabase(
  database: Database,
  databaseUrl: string | null,
  mayBeUsed: () => Promise<void> = () => Promise.resolve(),
  migrationLockMs?: number,
): Promise<void> {
  try {
    if (databaseUrl) await assertNoTransactionPooling(database.connection);
    await assertDatabaseNotNewer(database.pool);
    await mayBeUsed();
    await migrateDatabase(database, migrationLockMs);
  } catch (cause) {
    // These errors already have a message for the operator.
    const isSaid = [DatabaseUnusableError, NewerDatabaseError, InstallationMismatchError, AppError].some(
      (kind) => cause instanceof kind,
    );
    if (isSaid) throw cause;
    const sentence = databaseUrl
      ? explainFailure(cause, parsePlace(databaseUrl))
      : 'The tables of the database could not be updated.';
    throw new DatabaseUnusableError(sentence, { cause });
  }
}

/** @throws DatabaseUnusableError */
export async function assertNoTransactionPooling(connection: ConnectionSettings): Promise<void> {
  if (await isTransactionPooled(connection))
    throw new DatabaseUnusableError(
      'DATABASE_URL points to a connection pooler in transaction mode, which loses Yangchen’s locks and notifications. ' +
        'Set pool_mode = session for this database in PgBouncer, or connect to the PostgreSQL server directly.',
    );
}

type DatabasePlace = { server: string; user: string; name: string };

function explainFailure(cause: unknown, { server, user, name }: DatabasePlace): string {
  const state = getSqlState(cause);
  // All SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html
  if (state?.startsWith('28'))
    return `The database server at ${server} refused the user ${user}. Check the user and password in DATABASE_URL, and which users the server accepts from this machine.`;
  if (state === '3D000')
    return `The database server at ${server} has no database ${name}. Create it, or change DATABASE_URL.`;
  if (state === '42501')
    return `At ${server}, ${user} may not create tables in the database ${name}. Make that user its owner, or change DATABASE_URL.`;
  if (state === '57P03' || state?.startsWith('53'))
    return `The database server at ${server} accepts no connections right now. Check that server, and try again.`;
  if (state === READ_ONLY_SQLSTATE)
    return `The database ${name} at ${server} is read-only: it is a standby, or default_transaction_read_only is on. Set DATABASE_URL to the server that accepts writes.`;
  if (state === LOCK_TIMEOUT_SQLSTATE)
    return `Another process has been updating the tables of the database ${name} at ${server} for several minutes. Try again when it is done. If there is no such process, docs/operations.md explains how to release its lock.`;
  if (state) return `The tables of the database ${name} at ${server} could not be updated.`;
  return `The database server at ${server} can't be reached. Check host and port in DATABASE_URL, and that the server runs and listens there.`;
}

/** Describes the database for the log, without user and password. */
export function describeDatabaseLocation({
  databaseUrl,
  dataDir,
}: Pick<Settings, 'databaseUrl' | 'dataDir'>) {
  if (databaseUrl === null) return `embedded in ${join(dataDir, 'postgres')}`;
  const { server, name } = parsePlace(databaseUrl);
  return `${name} at ${server}`;
}

/** Parses a database URL as the driver does, with defaults from the environment. */
function parsePlace(databaseUrl: string): DatabasePlace {
  const { host, port, user, database } = new pg.Client({ connectionString: databaseUrl });
  return {
    server: host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`,
    user: user ?? 'this user',
    name: database ?? '',
  };
}
