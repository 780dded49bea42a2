import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { access, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Error for a data folder that this process can't, or must not, use. The message is written for the operator. */
export class UnusableDataFolder extends Error {
  override name = 'UnusableDataFolder';
}

/** Entries that this program creates there. A mounted volume may contain others, like `lost+found`. */
const PARTS = [
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
 * Creates the data folder (0700) if missing, and checks the ownership of everything in it. Root must not leave files
 * in another user's folder, because that user could not open them; files from an earlier start as root are reported
 * here, instead of failing request by request. Call it before anything is written there.
 * @throws {UnusableDataFolder}
 */
export async function prepareDataFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw new UnusableDataFolder(`The data folder can't be created: ${dataDir}`, { cause });
  });
  if (process.getuid?.() === 0) return refuseAnothersFolder(dataDir);
  const closed = await firstClosed(dataDir);
  if (closed) throw await cannotUse(closed, dataDir);
}

async function refuseAnothersFolder(dataDir: string): Promise<void> {
  const { uid } = await stat(dataDir);
  if (uid === 0) return;
  const owner = await userOf(uid);
  throw new UnusableDataFolder(
    `This data folder belongs to ${owner.inWords}, who couldn’t open files written by root: ${dataDir}. ` +
      `Start Yangchen as that user with sudo -u ${owner.forSudo}, or give the whole folder to root: chown -R root ${dataDir}`,
  );
}

async function cannotUse({ path, cause }: Closed, dataDir: string): Promise<UnusableDataFolder> {
  const uid = process.getuid?.() ?? -1;
  const [me, owner] = await Promise.all([userOf(uid), userOf((await stat(path)).uid)]);
  return new UnusableDataFolder(
    me.inWords === owner.inWords
      ? `${path} belongs to ${me.inWords}, who has no permission to read and write it.`
      : `${path} belongs to ${owner.inWords}, and ${me.inWords} can't use it. Start Yangchen as the owner of the data ` +
          `folder, or give the whole folder to ${me.inWords}, as root: chown -R ${me.forChown} ${dataDir}`,
    { cause },
  );
}

type Closed = { path: string; cause: unknown };

async function firstClosed(dataDir: string): Promise<Closed | null> {
  for (const path of [dataDir, ...PARTS.map((name) => join(dataDir, name))]) {
    const cause = await whyClosed(path);
    if (cause) return { path, cause };
  }
  return (await firstClosedIn(join(dataDir, 'outbox'))) ?? (await firstClosedIn(join(dataDir, 'media')));
}

/** Checks every file, at 4 µs each, because one user's folder may contain files of another user. */
async function firstClosedIn(folder: string): Promise<Closed | null> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    const cause = entry.isDirectory() ? await whyClosed(path) : whyUnreadable(path);
    if (cause) return { path, cause };
    const inside = entry.isDirectory() ? await firstClosedIn(path) : null;
    if (inside) return inside;
  }
  return null;
}

/** @returns null if it is readable and writable, or missing */
async function whyClosed(path: string): Promise<unknown> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    await access(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0));
    return null;
  } catch (error) {
    return isMissing(error) ? null : error;
  }
}

function whyUnreadable(path: string): unknown {
  try {
    accessSync(path, constants.R_OK);
    return null;
  } catch (error) {
    return isMissing(error) ? null : error;
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/**
 * Returns a user's name as messages, `sudo` and `chown` write it. Some users have no name, for example in
 * containers.
 */
async function userOf(uid: number) {
  const { stdout } = await promisify(execFile)('id', ['-nu', String(uid)]).catch(() => ({ stdout: '' }));
  const name = stdout.trim();
  return name
    ? { inWords: `${name} (uid ${uid})`, forSudo: name, forChown: name }
    : { inWords: `uid ${uid}`, forSudo: `'#${uid}'`, forChown: String(uid) };
}
