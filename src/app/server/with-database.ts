import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareDatabase, assertNoTransactionPooling } from '#server/db/prepare-database.ts';
import { openDatabase, type ConnectionSettings, type Database, type Db } from '#server/db/database.ts';
import { isDatabaseDownError } from '#server/db/database-errors.ts';
import { prepareDataFolder } from '#server/data-folder/data-folder-access.ts';
import {
  DataFolderInUseError,
  lockDataFolder,
  type DataFolderLock,
} from '#server/data-folder/data-folder-lock.ts';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { startEmbeddedPostgres } from '#server/postgres/start.ts';
import type { Log } from '#server/log.ts';
import type { Settings } from '#server/config/settings.ts';

/**
 * Time to wait for a program that is starting or stopping: it locks the data folder, but its database does
 * not answer.
 */
const LOCK_TIMEOUT_MS = 20_000;

/** A task in the database. `isAlone` is true if no program can run in the installation during the task. */
export type DatabaseWork<T> = (
  db: Db,
  connection: ConnectionSettings,
  how: { isAlone: boolean; database: Database },
) => Promise<T>;
type AssertUsable = (db: Db) => Promise<void>;

/**
 * Runs one task in the installation's database from outside the program. Without `DATABASE_URL`, connects to
 * the embedded database of a running program, and repeats the task if that connection is lost. If no program
 * is running, starts the embedded database for the duration of the task. Applies missing migrations, unless a
 * running program has already applied them to the embedded database.
 * @param refuse called before any migrations; throws if the database must not be used
 * @throws a plain Error if there is no database yet, or it can't be reached
 */
export async function withDatabase<T>(
  settings: Settings,
  log: Log,
  work: DatabaseWork<T>,
  refuse: AssertUsable = async () => undefined,
): Promise<T> {
  if (settings.databaseUrl) {
    const connection = { connectionString: settings.databaseUrl };
    return withConnection(connection, work, {
      refuse,
      migrate: true,
      isAlone: false,
      databaseUrl: settings.databaseUrl,
    });
  }
  await assertHasDatabase(settings.dataDir);
  await prepareDataFolder(settings.dataDir);
  for (const until = Date.now() + LOCK_TIMEOUT_MS; ; await sleep(200)) {
    const lock = tryLock(settings.dataDir);
    if (lock) return withOwnServer(settings, lock, log, work, refuse);
    const running = await findRunningConnectionSettings(settings.dataDir);
    try {
      // Runs no migrations, because the running program has applied them.
      if (running) return await withConnection(running, work, { refuse, migrate: false, isAlone: false });
    } catch (error) {
      // Retries only if the connection was lost, because the task's transaction has then been rolled back.
      if (!isDatabaseDownError(error)) throw error;
    }
    if (Date.now() > until)
      throw new Error(
        `Another Yangchen is using ${settings.dataDir}, but its database doesn’t answer. Try again, or stop it first.`,
      );
  }
}

/**
 * Runs one task in a database without migrating it. Creates the embedded database if there is none.
 * @throws DataFolderInUseError if a running program uses the embedded database
 */
export async function withUnmigratedDatabase<T>(
  settings: Settings,
  log: Log,
  work: (connection: ConnectionSettings) => Promise<T>,
): Promise<T> {
  await prepareDataFolder(settings.dataDir);
  if (settings.databaseUrl) {
    const connection = { connectionString: settings.databaseUrl };
    await assertNoTransactionPooling(connection);
    return work(connection);
  }
  return withServer(settings, lockDataFolder(settings.dataDir), log, work);
}

const withOwnServer = <T>(
  settings: Settings,
  lock: DataFolderLock,
  log: Log,
  work: DatabaseWork<T>,
  refuse: AssertUsable,
) =>
  withServer(settings, lock, log, (connection) =>
    withConnection(connection, work, { refuse, migrate: true, isAlone: true }),
  );

async function withServer<T>(
  settings: Settings,
  lock: DataFolderLock,
  log: Log,
  work: (connection: ConnectionSettings) => Promise<T>,
): Promise<T> {
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir: settings.dataDir,
      ...(settings.pgBinDir && { binDir: settings.pgBinDir }),
      log,
    });
    try {
      return await work(postgres.connection);
    } finally {
      await postgres.stop();
    }
  } finally {
    lock.release();
  }
}

async function withConnection<T>(
  connection: ConnectionSettings,
  work: DatabaseWork<T>,
  {
    refuse,
    migrate,
    isAlone,
    databaseUrl = null,
  }: { refuse: AssertUsable; migrate: boolean; isAlone: boolean; databaseUrl?: string | null },
): Promise<T> {
  // Ignores errors on idle connections, because the task's own error explains the problem.
  const database = openDatabase(connection, () => undefined);
  try {
    if (migrate) await prepareDatabase(database, databaseUrl, () => refuse(database.db));
    else await refuse(database.db);
    return await work(database.db, connection, { isAlone, database });
  } finally {
    await database.close();
  }
}

async function assertHasDatabase(dataDir: string) {
  const isMissing = await stat(join(dataDir, 'postgres')).then(
    () => false,
    // Any other error, such as a missing permission, doesn't mean that there is no database.
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
  if (isMissing)
    throw new Error(
      `There is no database in ${dataDir}. Start Yangchen there once, or set DATA_DIR or DATABASE_URL.`,
    );
}

function tryLock(dataDir: string): DataFolderLock | null {
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    if (error instanceof DataFolderInUseError) return null;
    throw error;
  }
}
