import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { installation, mediaFiles } from '../db/schema.ts';
import type { MediaLocation } from '../media/open-store.ts';
import type { MediaStore } from '../media/store.ts';
import { InstallationMismatchError } from './installation-mismatch-error.ts';

type Store = Pick<MediaStore, 'installationId' | 'list' | 'claim'>;

/**
 * Checks whether a database and a media store belong together, before anything is created or migrated in
 * either. Both store the id of their installation. If either has no id, because it is new or predates these
 * ids, the file names decide: they are random, so unrelated installations have none in common.
 * @param where description of the store for the message
 * @throws InstallationMismatchError
 */
export async function assertSameInstallation(db: Db, store: Store, where: MediaLocation): Promise<void> {
  // Reads the store's id first. Another process that starts at the same time writes the database's id first,
  // so a new id that is found in the store is found in the database too.
  const ofStore = await store.installationId();
  const ofDatabase = await readInstallationId(db);
  if (ofStore && ofStore === ofDatabase) return;
  if (ofStore && ofDatabase) throw new InstallationMismatchError(describeDifferentPair(where));
  const rows = await readFileNames(db);
  let files = 0;
  let known = 0;
  for await (const { name } of store.list()) {
    files += 1;
    if (rows.has(name)) known += 1;
  }
  if (files === 0 && rows.size > 0)
    throw new InstallationMismatchError(describeMissingMedia(where, rows.size));
  const isNew = files === 0 && !ofStore;
  if (!isNew && known * 2 <= files) throw new InstallationMismatchError(describeForeignMedia(where));
}

/**
 * Checks whether a database may be created for this store.
 * @throws InstallationMismatchError if the store had a database before
 */
export async function assertStoreNeverHadDatabase(
  store: Store,
  where: MediaLocation,
  dataDir: string,
): Promise<void> {
  const isClaimed = (await store.installationId()) !== null;
  if (isClaimed || (await hasFiles(store)))
    throw new InstallationMismatchError(describeMissingDatabase(where, dataDir));
}

/**
 * Ensures that the database and the store contain the same id: copies it from the one that has it, or creates
 * it. Resolves with the id when it is durable in both. Any number of processes can do this concurrently.
 * @throws InstallationMismatchError if the store has been claimed for another database since it was checked
 */
export async function claimStoreForDatabase(db: Db, store: Store, where: MediaLocation): Promise<string> {
  // A database restored from a backup that predates these ids adopts the id of the store.
  const id = await store.installationId();
  await db
    .insert(installation)
    .values(id ? { id } : {})
    .onConflictDoNothing();
  const [row] = await db.select({ id: installation.id }).from(installation);
  if (!row) throw new Error('The installation has no row');
  await store.claim(row.id);
  if ((await store.installationId()) !== row.id)
    throw new InstallationMismatchError(describeDifferentPair(where));
  return row.id;
}

/**
 * Assigns a store to a database regardless of ids and files, for example after the media were lost for good.
 */
export async function adoptMedia(db: Db, store: MediaStore, where: MediaLocation): Promise<void> {
  await store.unclaim();
  await claimStoreForDatabase(db, store, where);
}

/**
 * Commits a tiny write, to test whether the database confirms writes. All calls update the same row, so while
 * a synchronous standby blocks one commit, later calls time out on the row lock instead of blocking further
 * sessions.
 */
export async function testDatabaseWrite(db: Db): Promise<void> {
  await db.update(installation).set({ isOnly: true });
}

async function readInstallationId(db: Db): Promise<string | null> {
  if (!(await hasTable(db, 'installation'))) return null;
  const [row] = await db.select({ id: installation.id }).from(installation);
  return row?.id ?? null;
}

async function readFileNames(db: Db): Promise<Set<string>> {
  if (!(await hasTable(db, 'media_files'))) return new Set();
  const rows = await db.select({ name: mediaFiles.name }).from(mediaFiles);
  return new Set(rows.map(({ name }) => name));
}

/** Returns whether a table exists. An empty database, or one from an earlier version, may lack it. */
async function hasTable(db: Db, name: string): Promise<boolean> {
  const { rows } = await db.execute<{ isThere: boolean }>(
    sql`select to_regclass(${name}) is not null as "isThere"`,
  );
  return rows[0]!.isThere;
}

async function hasFiles(store: Store): Promise<boolean> {
  for await (const _ of store.list()) return true;
  return false;
}

const UNCHANGED = 'Nothing was changed.';

const describeForeignMedia = ({ name, setting }: MediaLocation) =>
  `The files in ${name} belong to a different database. Set DATABASE_URL to their database, or remove DATABASE_URL if their database is in DATA_DIR/postgres. To start fresh, choose another ${setting}. ${UNCHANGED}`;

const describeDifferentPair = ({ name, setting }: MediaLocation) =>
  `The database and the files in ${name} belong to different installations. Set DATABASE_URL and ${setting} to the same installation, or restore both from one backup. ${UNCHANGED}`;

const describeMissingMedia = ({ name, putBack }: MediaLocation, rows: number) =>
  `${name} has none of the ${rows} ${rows === 1 ? 'file' : 'files'} listed in the database. ${putBack}. ${UNCHANGED}`;

const describeMissingDatabase = ({ name, setting }: MediaLocation, dataDir: string) =>
  `There is no database in ${dataDir}, but there are files in ${name}. Put ${dataDir}/postgres back, set DATABASE_URL to the database of these files, or choose another ${setting} to start fresh. ${UNCHANGED}`;
