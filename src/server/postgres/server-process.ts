import { spawn, type ChildProcess } from 'node:child_process';
import type { PostgresBinaries } from './binaries.ts';
import { buildCommandLine, type RunAsOptions } from './run-as.ts';
import { SOCKET_PORT } from './socket-folder.ts';

export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null };

export type PostgresServerProcess = {
  /** Resolves when the process has exited, for whatever reason. */
  ended: Promise<ExitStatus>;
  isOver(): boolean;
  /** Closes sessions, writes a checkpoint, and resolves when the process has exited. Idempotent. */
  stop(): Promise<void>;
  /** Registers a callback for an unexpected exit. It is called once, even if the server has already exited. */
  onExit(callback: (how: ExitStatus) => void): void;
};

/**
 * Timeouts of a shutdown, in ms: for the fast shutdown, and then for the immediate one. After both, the server
 * is killed.
 */
const SHUTDOWN_TIMEOUTS_MS = { fast: 20_000, immediate: 10_000 };

/**
 * Starts the server process.
 * @param logTo file descriptor of the log
 * @param fsync false for a database that need not survive a power cut
 */
export function spawnPostgresServer(
  {
    folder,
    socketFolder,
    logTo,
    fsync,
  }: { folder: string; socketFolder: string; logTo: number; fsync: boolean },
  binaries: PostgresBinaries,
  runAs: RunAsOptions,
): PostgresServerProcess {
  const { file, args, options } = buildCommandLine(
    runAs,
    binaries.postgres,
    ['-D', folder, ...getServerSettings(socketFolder, fsync)],
    'INT',
  );
  const child = spawn(file, args, {
    ...options,
    env: binaries.env,
    stdio: ['ignore', logTo, logTo],
    // Runs in its own process group, so that Ctrl-C doesn't reach it. The app still needs the database to
    // finish its requests.
    detached: true,
  });

  let over: ExitStatus | null = null;
  let stopping: Promise<void> | null = null;
  // Stops the server if this process exits without stop(). On some systems, the kernel doesn't signal the child
  // then.
  const signalChild = () => child.kill('SIGINT');
  process.once('exit', signalChild);
  const ended = waitForExit(child).then((how) => {
    over = how;
    process.off('exit', signalChild);
    return how;
  });

  return {
    ended,
    isOver: () => over !== null,
    stop: () => (stopping ??= shutDownServer(child, ended)),
    onExit(callback) {
      void ended.then((how) => {
        if (!stopping) callback(how);
      });
    },
  };
}

/**
 * Returns the settings that override postgresql.conf. The operator may change all other settings in that file.
 */
function getServerSettings(socketFolder: string, fsync: boolean): string[] {
  const chosen = {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    // Quotes the path, because the value is a list of quoted names. Quotes within a name are doubled.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    fsync: fsync ? 'on' : 'off',
    full_page_writes: 'on',
    // Logs only the server's problems, without details and statements, which can contain users' private text.
    logging_collector: 'off',
    log_checkpoints: 'off',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  };
  return Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

const waitForExit = (child: ChildProcess) =>
  new Promise<ExitStatus>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // Checks the pid, because this event can mean that the process couldn't be started, or that a signal
    // couldn't be sent. Only a process that couldn't be started has no pid.
    child.on('error', () => child.pid === undefined && resolve({ code: null, signal: null }));
  });

async function shutDownServer(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const harder = [
    setTimeout(() => child.kill('SIGQUIT'), SHUTDOWN_TIMEOUTS_MS.fast),
    setTimeout(() => child.kill('SIGKILL'), SHUTDOWN_TIMEOUTS_MS.fast + SHUTDOWN_TIMEOUTS_MS.immediate),
  ];
  child.kill('SIGINT');
  await ended;
  for (const timer of harder) clearTimeout(timer);
}
