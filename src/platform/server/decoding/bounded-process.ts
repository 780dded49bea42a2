import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contract/errors.ts';
import type { Answer, Done, Task } from './decode.child.ts';
import { INPUT, OUTPUT, pathOfOpen } from './open-files.ts';
import type { Sandbox } from './sandbox.ts';

const HEAP_MB = 256;
const LOOK_AT_MEMORY_EVERY_MS = 100;
/** Of the process alone, before it has been told of a file; a busy machine takes its time. */
const LONGEST_START_MS = 60_000;

export type Bounds = {
  sandbox: Sandbox;
  milliseconds: number;
  /** Resident, of the process and of its ffmpeg; watched where there is /proc. */
  memoryBytes: number;
  /** What is thrown when the work was ended by force. */
  tooMuch: () => AppError;
};

/**
 * Lets a process of its own decode one file, and ends it with its ffmpeg when it takes longer or more than given. It
 * has no network, and of the disk it sees the program's own code and what the system has for everybody, as far as the
 * sandbox goes; the files come to it open.
 * @param files `to` is made anew, and removed when this throws
 * @throws AppError what the process refused the file for; `tooMuch` when it was ended by force
 * @throws Error when a file cannot be opened, the process cannot be started, or failed through no fault of the file
 */
export async function inBoundedProcess(
  task: Task,
  files: { from: string; to?: string },
  bounds: Bounds,
): Promise<Done> {
  // What is no regular file must not hold this process up.
  await using from = await open(files.from, constants.O_RDONLY | constants.O_NONBLOCK);
  if (files.to === undefined) return inProcess(task, [from.fd], bounds);
  await using to = await open(files.to, 'wx+', 0o600);
  try {
    return await inProcess(task, [from.fd, to.fd], bounds);
  } catch (error) {
    await rm(files.to, { force: true });
    throw error;
  }
}

async function inProcess(task: Task, files: FileHandle['fd'][], bounds: Bounds): Promise<Done> {
  const child = start(task, files, bounds);
  let ready = false;
  let trouble = '';
  child.stderr?.on('data', (text: Buffer) => (trouble = (trouble + text.toString()).slice(0, 2000)));
  let timer = setTimeout(() => end(child), LONGEST_START_MS);
  let memory: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Done>((resolve, reject) => {
      child.once('error', reject);
      // Killed by a limit, or crashed over the file; before it was ready it cannot have been the file.
      child.once('exit', () => {
        reject(ready ? bounds.tooMuch() : new Error(`The decoder does not start: ${trouble}`));
      });
      child.on('message', (answer: Answer) => {
        if (answer === 'ready') {
          ready = true;
          clearTimeout(timer);
          timer = setTimeout(() => end(child), bounds.milliseconds);
          memory = setInterval(
            () => void endIfLargerThan(bounds.memoryBytes, child),
            LOOK_AT_MEMORY_EVERY_MS,
          );
          child.send(task);
        } else if ('done' in answer) resolve(answer.done);
        else if ('refused' in answer) reject(new AppError(answer.refused.code, answer.refused.message));
        else reject(failure(answer));
      });
    });
  } finally {
    clearTimeout(timer);
    clearInterval(memory);
    end(child);
  }
}

const CHILD = fileURLToPath(new URL('./decode.child.ts', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Through a shell, for what only the kernel can promise: no core dumps, and processor seconds that end the
 * process (and its ffmpeg) even if it loops while its parent has died; and that it yields to requests. Detached: a
 * group of its own, which Ctrl-C at the server does not end and which is ended as a whole.
 */
function start(task: Task, files: number[], { sandbox, milliseconds }: Bounds): ChildProcess {
  const seconds = Math.ceil(milliseconds / 1000) + 5;
  const script = `ulimit -c 0; ulimit -t ${seconds}; exec nice "$@"`;
  const node = [process.execPath, `--max-old-space-size=${HEAP_MB}`, ...permissions(task), CHILD];
  // Nothing secret in its environment: it reads files of strangers.
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return spawn('/bin/sh', ['-c', script, 'sh', ...sandbox.wrap(node)], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...files],
    serialization: 'advanced',
    env: { PATH, LD_LIBRARY_PATH },
  });
}

/**
 * Node's own permission model, also where there are no namespaces: JavaScript and WebAssembly may read the program's
 * code and the one file, and run a program only where the task needs ffmpeg. It binds neither that program nor the
 * native code of the picture library, and in Node 24 not the network.
 */
function permissions(task: Task): string[] {
  return [
    '--permission',
    `--allow-fs-read=${PROGRAM}`,
    `--allow-fs-read=${pathOfOpen(INPUT)}`,
    `--allow-fs-write=${pathOfOpen(OUTPUT)}`,
    ...('ffmpegPath' in task && task.ffmpegPath ? ['--allow-child-process'] : []),
    ...(task.name === 'thumbnail' ? ['--allow-addons'] : []),
  ];
}

/** With the code of the system, by which a full disk is known. */
function failure({ failed, code }: { failed: string; code: string | null }): Error {
  return Object.assign(new Error(`The decoder failed: ${failed}`), code !== null && { code });
}

function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

async function endIfLargerThan(bytes: number, child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && (await residentBytes(child.pid)) > bytes) end(child);
}

/** Of a process and its children; 0 where there is no /proc (macOS) or no such process any more. */
async function residentBytes(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const own = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean);
    const theirs = await Promise.all(children.map((child) => residentBytes(Number(child))));
    return theirs.reduce((sum, size) => sum + size, own);
  } catch {
    return 0;
  }
}
