import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresBinaries } from './binaries.ts';
import { PostgresStartError } from './postgres-start-error.ts';

/** Ways in which root can run PostgreSQL, which refuses to run as root. */
export type RootMode = 'namespace' | 'nobody';

export type FolderOwner = { uid: number; gid: number };

export type RunAsOptions = {
  /** Command to put before the program and its arguments. */
  commandPrefix: string[];
  /** Whether the kernel signals the program when this process dies. Not all systems support this. */
  diesWithParent: boolean;
  /** System user who runs the program and owns the database's files; null for this process's user. */
  owner: FolderOwner | null;
};

/** The system user 'nobody'. initdb requires a user who has a name, so an arbitrary uid is not enough. */
const NOBODY: FolderOwner = { uid: 65534, gid: 65534 };

/**
 * Determines by trial how PostgreSQL can be run here.
 *
 * Root has these options, in this order:
 * 1. If an existing database belongs to another system user: as that user, so that both users can start it.
 * 2. In a user namespace in which root is mapped to `nobody`. This also works below a home folder of mode
 * 0700, and root stays the owner of the files. Containers often forbid it.
 * 3. As the user `nobody`, if that user can traverse the path to the data folder.
 * @param dataDir absolute path of the data folder
 * @param databaseOwner the uid and gid of an existing database's files
 * @param only limits the choice between options 2 and 3 to one of them, for tests
 * @returns the chosen way, and the server's major version, which the trial also reveals
 * @throws PostgresStartError if no option works
 */
export async function chooseRunAsOptions(
  binaries: PostgresBinaries,
  dataDir: string,
  databaseOwner: FolderOwner | null,
  only?: RootMode,
): Promise<{ runAs: RunAsOptions; version: number }> {
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

/**
 * Returns the command line, and the options for `spawn`, with which to run a program in the chosen way.
 * @param deathSignal signal sent to the program when this process dies
 */
export function buildCommandLine(
  runAs: RunAsOptions,
  program: string,
  args: string[],
  deathSignal: 'INT' | 'KILL',
) {
  // Puts setpriv last, because entering a namespace or changing the user clears the death signal.
  const setpriv = runAs.diesWithParent ? ['setpriv', '--pdeathsig', deathSignal] : [];
  const [file = program, ...rest] = [...runAs.commandPrefix, ...setpriv, program, ...args];
  // Runs in '/', because initdb checks its current directory, and the chosen user may have no access to ours.
  return {
    file,
    args: rest,
    options: { cwd: '/', ...(runAs.owner && { uid: runAs.owner.uid, gid: runAs.owner.gid }) },
  };
}

const isRoot = () => process.getuid?.() === 0;

async function listRunAsOptions(
  dataDir: string,
  databaseOwner: FolderOwner | null,
  only: RootMode | undefined,
): Promise<RunAsOptions[]> {
  if (!isRoot()) return withAndWithoutSetpriv({ commandPrefix: [], owner: null });
  if (databaseOwner && databaseOwner.uid !== 0)
    return withAndWithoutSetpriv({ commandPrefix: [], owner: databaseOwner });
  const ways: RunAsOptions[] = [];
  if (only !== 'nobody') {
    const before = ['unshare', '--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`];
    ways.push(...withAndWithoutSetpriv({ commandPrefix: before, owner: null }));
  }
  if (only !== 'namespace' && (await isReachableByAnyone(dirname(dataDir))))
    ways.push(...withAndWithoutSetpriv({ commandPrefix: [], owner: NOBODY }));
  return ways;
}

const withAndWithoutSetpriv = (way: Omit<RunAsOptions, 'diesWithParent'>): RunAsOptions[] =>
  process.platform === 'linux'
    ? [
        { ...way, diesWithParent: true },
        { ...way, diesWithParent: false },
      ]
    : [{ ...way, diesWithParent: false }];

async function readVersion(runAs: RunAsOptions, { postgres, env }: PostgresBinaries): Promise<number> {
  const { file, args, options } = buildCommandLine(runAs, postgres, ['--version'], 'KILL');
  const { stdout } = await promisify(execFile)(file, args, { ...options, env });
  const major = /\b(\d+)(?:\.|devel|beta|rc)/.exec(stdout)?.[1];
  if (!major) throw new Error(`It calls itself ${stdout.trim()}`);
  return Number(major);
}

/** Returns whether every system user can traverse every folder in the path. */
async function isReachableByAnyone(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) return false;
  return folder === dirname(folder) || isReachableByAnyone(dirname(folder));
}

function createCannotRunError(
  { postgres }: PostgresBinaries,
  tried: number,
  failure: unknown,
): PostgresStartError {
  const reason =
    failure instanceof Error ? failure.message.trim() : 'the data folder is closed to other users';
  const sentence = isRoot()
    ? `PostgreSQL refuses to run as root, and ${tried > 0 ? 'it could not be started in a user namespace or as another user' : 'no other way was found'}. ` +
      'Start Yangchen as an ordinary user, or set DATABASE_URL to a PostgreSQL server.'
    : `PostgreSQL can't run on this machine (${postgres}). Set DATABASE_URL to a PostgreSQL server, or PG_BIN_DIR to a folder with its programs.`;
  return new PostgresStartError(`${sentence} What went wrong: ${reason}`, { cause: failure });
}
