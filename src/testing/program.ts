import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { copyTemplateCluster, isTestRun } from './cluster.ts';
import { findFreePort } from './free-port.ts';

/** Arguments that `npm start` passes to Node. */
const START = packageJson.scripts.start.replace(/^exec node /, '').split(' ');

const checkout = { root: join(import.meta.dirname, '..', '..'), node: process.execPath };

export type RunningProgram = {
  url: string;
  dataDir: string;
  child: ChildProcess;
  /** Returns all terminal output so far. */
  getOutput(): string;
  /** Sends a signal, waits for the exit, and returns the exit code or the signal that ended the process. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

type Options = {
  dataDir: string;
  /**
   * 'node' starts the server itself; 'npm' runs `npm start`, which first installs and builds what is missing.
   */
  by?: 'node' | 'npm';
  /** Another command that starts the program, such as that of a release. Replaces `by`. */
  command?: string[];
  /** Entry point; by default the one that `npm start` runs. */
  main?: string | undefined;
  environment?: NodeJS.ProcessEnv;
  uid?: number;
  /** Paths from which a user with this `uid` can run the program, from `prepareProgramForSystemUsers`. */
  from?: { root: string; node: string };
  /** The port of an earlier process, so that browsers find the program again. */
  port?: number;
  /**
   * Gives the program a process group of its own, as a shell does for a foreground command, so that Ctrl-C
   * reaches all its processes.
   */
  ownGroup?: boolean;
};

const CHEAP_PASSWORDS = new URL('cheap-passwords.ts', import.meta.url).href;

/** Starts the program as a process and resolves once it listens. Rejects with its output if it exits first. */
export async function startProgram(options: Options): Promise<RunningProgram> {
  const { root, node } = options.from ?? checkout;
  const port = options.port ?? (await findFreePort());
  const makesItsOwn =
    options.by === 'npm' ||
    options.command !== undefined ||
    options.from !== undefined ||
    options.uid !== undefined ||
    options.environment?.['PG_BIN_DIR'];
  if (!makesItsOwn && !options.environment?.['DATABASE_URL']) await copyTemplateCluster(options.dataDir);
  const byNode = [node, ...(options.main ? [options.main] : START)];
  const [command = '', ...given] = options.command ?? (options.by === 'npm' ? ['npm', 'start'] : byNode);
  const child = spawn(command, given, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      DATA_DIR: options.dataDir,
      LOG_LEVEL: 'warn',
      // Starts regardless of the free space on this machine.
      MIN_FREE_DISK: '0',
      // Makes password hashes cheap in tests. Benchmarks and `npm run chaos` hash passwords as in production.
      ...(isTestRun() && !makesItsOwn && { NODE_OPTIONS: `--import=${CHEAP_PASSWORDS}` }),
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.ownGroup ?? false,
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const url = `http://127.0.0.1:${port}`;

  const listens = (async () => {
    while (!said.includes('listens on')) await new Promise((resolve) => setTimeout(resolve, 25));
  })();
  await Promise.race([
    listens,
    ended.then(() => {
      throw new Error(said);
    }),
  ]);
  return {
    url,
    dataDir: options.dataDir,
    child,
    getOutput: () => said,
    async end(signal = 'SIGTERM') {
      if (options.ownGroup) process.kill(-child.pid!, signal);
      else child.kill(signal);
      const [code, by] = await ended;
      return { code, signal: by };
    },
  };
}

/** Creates a data folder, and returns its path and a function that removes it. */
export async function createDataFolder(uid?: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'yangchen-program-'));
  if (uid !== undefined) await chown(dataDir, uid, uid);
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }) };
}

/**
 * Returns the ids of the processes whose command line contains the folder, such as those of a data folder's
 * database.
 */
export async function findProcessIdsByFolder(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(folder)) found.push(Number(name));
  }
  return found;
}
