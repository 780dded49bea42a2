import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { PostgresStartError } from './postgres-start-error.ts';

/** Ways to run PostgreSQL for root, because it refuses to run as root itself. */
export type RootMode = 'namespace' | 'nobody';

export type Owner = { uid: number; gid: number };

export type RunAs = {
  /** Command that is prepended to the program and its arguments. */
  before: string[];
  /** Whether the kernel signals the program when this process dies. Not supported everywhere. */
  diesWithParent: boolean;
  /** User who runs the program and owns its files, if it isn't this process's user. */
  owner: Owner | null;
};

/** The user 'nobody'. initdb requires a user with a name. */
const NOBODY: Owner = { uid: 65534, gid: 65534 };

/**
 * Finds out, by trying, how PostgreSQL can be run here.
 *
 * Options for root, in this order:
 * 1. A data folder that already belongs to another user: as that user, so that both can start it.
 * 2. In a user namespace, where root is mapped to nobody: this also works below a home of mode 0700, and the files
 * stay root's. Containers often forbid it.
 * 3. As the user nobody, who must be able to traverse the path to the data folder.
 * @param dataDir the parent of the database's folder, absolute
 * @param databaseOwner the uid and gid of an existing database's files
 * @param only for tests: force one of these options
 * @returns also the server's major version, a by-product of trying
 * @throws {PostgresStartError} if no option works
 */
export async function chooseRunAs(
  binaries: Binaries,
  dataDir: string,
  databaseOwner: Owner | null,
  only?: RootMode,
): Promise<{ runAs: RunAs; version: number }> {
  const ways = await listRunAsOptions(dataDir, databaseOwner, only);
  let failure: unknown;
  for (const runAs of ways) {
    try {
      return { runAs, version: await readVersion(runAs, binaries) };
    } catch (error) {
      failure = error;
    }
  }
  throw createCannotRunError(binaries, ways.length, failure);
}

/** Returns the command line that runs a program this way. `deathSignal` is sent to it when this process dies. */
export function getCommandLine(runAs: RunAs, program: string, args: string[], deathSignal: 'INT' | 'KILL') {
  // setpriv comes last, because entering a namespace or changing the user clears the death signal.
  const setpriv = runAs.diesWithParent ? ['setpriv', '--pdeathsig', deathSignal] : [];
  const [file = program, ...rest] = [...runAs.before, ...setpriv, program, ...args];
  // The current directory may be inaccessible to that user, and initdb checks its own.
  return {
    file,
    args: rest,
    options: { cwd: '/', ...(runAs.owner && { uid: runAs.owner.uid, gid: runAs.owner.gid }) },
  };
}

const isRoot = () => process.getuid?.() === 0;

async function listRunAsOptions(
  dataDir: string,
  databaseOwner: Owner | null,
  only: RootMode | undefined,
): Promise<RunAs[]> {
  if (!isRoot()) return withAndWithoutSetpriv({ before: [], owner: null });
  if (databaseOwner && databaseOwner.uid !== 0)
    return withAndWithoutSetpriv({ before: [], owner: databaseOwner });
  const ways: RunAs[] = [];
  if (only !== 'nobody') {
    const before = ['unshare', '--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`];
    ways.push(...withAndWithoutSetpriv({ before, owner: null }));
  }
  if (only !== 'namespace' && (await isReachableByAnyone(dirname(dataDir))))
    ways.push(...withAndWithoutSetpriv({ before: [], owner: NOBODY }));
  return ways;
}

const withAndWithoutSetpriv = (way: Omit<RunAs, 'diesWithParent'>): RunAs[] =>
  process.platform === 'linux'
    ? [
        { ...way, diesWithParent: true },
        { ...way, diesWithParent: false },
      ]
    : [{ ...way, diesWithParent: false }];

async function readVersion(runAs: RunAs, { postgres, env }: Binaries): Promise<number> {
  const { file, args, options } = getCommandLine(runAs, postgres, ['--version'], 'KILL');
  const { stdout } = await promisify(execFile)(file, args, { ...options, env });
  const major = /\b(\d+)(?:\.|devel|beta|rc)/.exec(stdout)?.[1];
  if (!major) throw new Error(`It calls itself ${stdout.trim()}`);
  return Number(major);
}

/** Returns whether every folder of the path can be traversed by any user. */
async function isReachableByAnyone(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) return false;
  return folder === dirname(folder) || isReachableByAnyone(dirname(folder));
}

function createCannotRunError({ postgres }: Binaries, tried: number, failure: unknown): PostgresStartError {
  const reason =
    failure instanceof Error ? failure.message.trim() : 'the data folder is closed to other users';
  const sentence = isRoot()
    ? `PostgreSQL refuses to run as root, and ${tried > 0 ? 'neither a user namespace nor another user works here' : 'no other way was found'}. ` +
      'Start Yangchen as an ordinary user, or set DATABASE_URL to a PostgreSQL server.'
    : `PostgreSQL can't run on this machine (${postgres}). Set DATABASE_URL to a PostgreSQL server, or PG_BIN_DIR to a folder with its programs.`;
  return new PostgresStartError(`${sentence} What went wrong: ${reason}`, { cause: failure });
}
