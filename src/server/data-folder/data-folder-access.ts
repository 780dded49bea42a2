import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { access, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Error for a data folder that this process can't or must not use. The message is for the operator. */
export class DataFolderUnusableError extends Error {
  override name = 'DataFolderUnusableError';
}

/**
 * Entries that this program creates in the data folder. A mounted volume may contain others, such as
 * `lost+found`.
 */
const OWN_ENTRIES = [
  'lock',
  'lock-journal',
  'postgres',
  'postgres.log',
  'socket',
  'media',
  'staging',
  'uploads',
  'outbox',
];

/**
 * Creates the data folder (0700) if it is missing, and checks that this process may use it. Root must not
 * write files to a folder of another system user, who could not open them. Any other system user must be able
 * to access everything that this program stores in the folder: files left by an earlier start as root are
 * reported here, instead of failing request by request. Must be called before anything is written to the
 * folder.
 * @throws DataFolderUnusableError
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw new DataFolderUnusableError(`The data folder can't be created: ${dataDir}`, { cause });
  });
  if (process.getuid?.() === 0) return assertOwnFolder(dataDir);
  const closed = await findInaccessible(dataDir);
  if (closed) throw await createUnusableError(closed, dataDir);
}

async function assertOwnFolder(dataDir: string): Promise<void> {
  const { uid } = await stat(dataDir);
  if (uid === 0) return;
  const owner = await getUserName(uid);
  throw new DataFolderUnusableError(
    `This data folder belongs to ${owner.inWords}, who couldn’t open files written by root: ${dataDir}. ` +
      `Start Yangchen as that user with sudo -u ${owner.forSudo}, or give the whole folder to root: chown -R root ${dataDir}`,
  );
}

async function createUnusableError(
  { path, cause }: InaccessiblePath,
  dataDir: string,
): Promise<DataFolderUnusableError> {
  const uid = process.getuid?.() ?? -1;
  const [me, owner] = await Promise.all([getUserName(uid), getUserName((await stat(path)).uid)]);
  return new DataFolderUnusableError(
    me.inWords === owner.inWords
      ? `${path} belongs to ${me.inWords}, who has no permission to read and write it.`
      : `${path} belongs to ${owner.inWords}, and ${me.inWords} can't use it. Start Yangchen as the owner of the data ` +
          `folder, or give the whole folder to ${me.inWords}, as root: chown -R ${me.forChown} ${dataDir}`,
    { cause },
  );
}

type InaccessiblePath = { path: string; cause: unknown };

async function findInaccessible(dataDir: string): Promise<InaccessiblePath | null> {
  for (const path of [dataDir, ...OWN_ENTRIES.map((name) => join(dataDir, name))]) {
    const cause = await getAccessError(path);
    if (cause) return { path, cause };
  }
  return (
    (await findInaccessibleIn(join(dataDir, 'outbox'))) ?? (await findInaccessibleIn(join(dataDir, 'media')))
  );
}

/**
 * Returns the first inaccessible path in a folder, and the error; null if everything is accessible. Checks
 * every file, at 4 µs each, because some files may belong to a different system user than the folder.
 */
async function findInaccessibleIn(folder: string): Promise<InaccessiblePath | null> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    const cause = entry.isDirectory() ? await getAccessError(path) : getReadError(path);
    if (cause) return { path, cause };
    const inside = entry.isDirectory() ? await findInaccessibleIn(path) : null;
    if (inside) return inside;
  }
  return null;
}

/** @returns the error if a path is not readable and writable; null if it is, or if it doesn't exist */
async function getAccessError(path: string): Promise<unknown> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    await access(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0));
    return null;
  } catch (error) {
    return isMissingFileError(error) ? null : error;
  }
}

function getReadError(path: string): unknown {
  try {
    accessSync(path, constants.R_OK);
    return null;
  } catch (error) {
    return isMissingFileError(error) ? null : error;
  }
}

const isMissingFileError = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * Returns a system user's name as it is written in messages and in the commands `sudo` and `chown`. Falls
 * back to the uid, because some system users have no name, for example in containers.
 */
async function getUserName(uid: number) {
  const { stdout } = await promisify(execFile)('id', ['-nu', String(uid)]).catch(() => ({ stdout: '' }));
  const name = stdout.trim();
  return name
    ? { inWords: `${name} (uid ${uid})`, forSudo: name, forChown: name }
    : { inWords: `uid ${uid}`, forSudo: `'#${uid}'`, forChown: String(uid) };
}
