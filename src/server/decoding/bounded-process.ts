import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, rm, type FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { AppError } from '#shared/errors.ts';
import type { DecoderMessage, DecoderTaskResult, DecoderTask } from './tasks.ts';
import { receiveDecoderMessages, sendDecoderMessage } from './decoder-messages.ts';
import { CHANNEL_FD } from './file-descriptors.ts';
import { DECODER_ENTRY_PATH, getPermissionFlags } from './permissions.ts';
import type { Sandbox } from './sandbox.ts';

const HEAP_MB = 256;
const MEMORY_CHECK_INTERVAL_MS = 100;
/**
 * Time limit for starting the process, before it gets a task. It is generous, because starting is slow on a
 * busy machine.
 */
const START_TIMEOUT_MS = 60_000;
/**
 * Maximum size of all messages from the process. The largest result, the features of a three-hour melody, takes
 * 11 MB.
 */
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/**
 * Maximum size of the output file, larger than the output of any task. Without a limit, a compromised decoder
 * could fill the disk.
 */
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

/**
 * Maximum number of messages. An inspection sends at most 25 progress reports (see peaks.ts), or 50 if it
 * decodes twice.
 */
const MAX_MESSAGES = 100;

export type BoundedProcessOptions = {
  sandbox: Sandbox;
  milliseconds: number;
  /** Limit on the resident memory of the process and its ffmpeg. Enforced only on systems that have /proc. */
  memoryBytes: number;
  /**
   * Creates the error for a process that crashed, or was killed because it exceeded its limits or because of
   * the signal.
   */
  tooMuch: () => AppError;
  /** Kills the process when aborted. */
  signal?: AbortSignal;
};

type OnProgress = (fraction: number) => void;

/**
 * Decodes a file in a child process, and kills the process and its ffmpeg if they exceed their time or memory
 * limit. If the sandbox is available, the process has no network, can't see the data folder, and can write
 * only to its output. It receives its files as open descriptors.
 * @param files `to` must not exist yet, and is removed if this throws
 * @param onProgress called with the share that is done, as reported by the process: 0 to 1, and always
 * increasing
 * @throws AppError the process's reason for rejecting the file; `tooMuch` if the process was killed or
 * crashed
 * @throws Error if a file can't be opened, or if the process can't be started or fails for a reason other
 * than the file
 */
export async function runInBoundedProcess(
  task: DecoderTask,
  files: { from: string; to?: string },
  bounds: BoundedProcessOptions,
  onProgress?: OnProgress,
): Promise<DecoderTaskResult> {
  // Opens the file in non-blocking mode, because opening anything but a regular file could block this process.
  await using from = await open(files.from, constants.O_RDONLY | constants.O_NONBLOCK);
  // Without `await`, the file would be closed while the task still runs. A rejection during that time would be
  // unhandled and crash the program.
  if (files.to === undefined) return await runTask(task, [from.fd], bounds, onProgress);
  await using to = await open(files.to, 'wx+', 0o600);
  try {
    return await runTask(task, [from.fd, to.fd], bounds, onProgress);
  } catch (error) {
    await rm(files.to, { force: true });
    throw error;
  }
}

async function runTask(
  task: DecoderTask,
  files: FileHandle['fd'][],
  bounds: BoundedProcessOptions,
  onProgress?: OnProgress,
): Promise<DecoderTaskResult> {
  const child = startProcess(task, files, bounds);
  const channel = child.stdio[CHANNEL_FD] as Socket;
  // Ignores the error of the channel, which breaks if the child is killed. In that case, the 'exit' handler
  // below rejects.
  channel.on('error', () => channel.destroy());
  let ready = false;
  let messages = 0;
  let done = 0;
  let trouble = '';
  child.stderr?.on('data', (text: Buffer) => (trouble = (trouble + text.toString()).slice(0, 2000)));
  let timer = setTimeout(() => endProcess(child), START_TIMEOUT_MS);
  const abort = () => endProcess(child);
  bounds.signal?.addEventListener('abort', abort);
  let memory: NodeJS.Timeout | undefined;
  try {
    return await new Promise<DecoderTaskResult>((resolve, reject) => {
      child.once('error', reject);
      // An exit after 'ready' means that a limit killed the process, or that the file crashed it. An exit
      // before 'ready' has another cause, because the process doesn't read the file until then.
      child.once('exit', () => {
        reject(ready ? bounds.tooMuch() : new Error(`The decoder does not start: ${trouble}`));
      });
      const handleMessage = (answer: DecoderMessage) => {
        if (answer === 'ready') {
          if (ready) throw new Error('ready twice');
          ready = true;
          clearTimeout(timer);
          timer = setTimeout(() => endProcess(child), bounds.milliseconds);
          memory = setInterval(
            () => void endIfOverMemory(bounds.memoryBytes, child),
            MEMORY_CHECK_INTERVAL_MS,
          );
          sendDecoderMessage(channel, task);
        } else if ('progress' in answer) {
          const { progress }: { progress: unknown } = answer;
          if (typeof progress !== 'number' || !(progress > done && progress <= 1)) return;
          done = progress;
          onProgress?.(done);
        } else if ('done' in answer) resolve(answer.done);
        else if ('refused' in answer) reject(new AppError(answer.refused.code, answer.refused.message));
        else reject(createSystemError(answer));
      };
      receiveDecoderMessages(channel, {
        maxBytes: MAX_REPLY_BYTES,
        onTooMuch: () => endProcess(child),
        onMessage(read) {
          messages += 1;
          if (messages > MAX_MESSAGES) return endProcess(child);
          try {
            handleMessage(read() as DecoderMessage);
          } catch (error) {
            // Rejects malformed messages, because a compromised decoder could send anything.
            reject(new Error('The decoder returned an invalid result', { cause: error }));
          }
        },
      });
    });
  } finally {
    clearTimeout(timer);
    clearInterval(memory);
    bounds.signal?.removeEventListener('abort', abort);
    endProcess(child);
  }
}

/**
 * Starts the process through a shell, which sets limits that the kernel enforces: no core dumps, a maximum
 * output size, low priority, and a CPU time limit. The CPU time limit ends the process and its ffmpeg even if
 * they loop after their parent has died. The process is detached into its own process group, so that Ctrl-C
 * on the server doesn't reach it, and the whole group can be killed.
 */
function startProcess(
  task: DecoderTask,
  files: number[],
  { sandbox, milliseconds }: BoundedProcessOptions,
): ChildProcess {
  const seconds = Math.ceil(milliseconds / 1000) + 5;
  // Converts the size, because the shell counts it in blocks of 512 bytes.
  const script = `ulimit -c 0; ulimit -t ${seconds}; ulimit -f ${MAX_OUTPUT_BYTES / 512}; exec nice "$@"`;
  const node = [
    process.execPath,
    `--max-old-space-size=${HEAP_MB}`,
    ...getPermissionFlags(task),
    DECODER_ENTRY_PATH,
  ];
  // Passes on only these two variables. The process parses untrusted files, so its environment must not contain
  // secrets.
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return spawn('/bin/sh', ['-c', script, 'sh', ...sandbox.wrap(node)], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...files],
    env: { PATH, LD_LIBRARY_PATH },
  });
}

/** Creates an error with the system's error code, so that the caller can detect a full disk. */
function createSystemError({ failed, code }: { failed: string; code: string | null }): Error {
  return Object.assign(new Error(`The decoder failed: ${failed}`), code !== null && { code });
}

function endProcess(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process group has already exited.
  }
}

async function endIfOverMemory(bytes: number, child: ChildProcess): Promise<void> {
  if (child.pid !== undefined && (await getResidentBytes(child.pid)) > bytes) endProcess(child);
}

/**
 * Returns the resident memory of a process and its children, in bytes. Returns 0 if there is no /proc (macOS)
 * or if the process has exited.
 */
async function getResidentBytes(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const own = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean);
    const theirs = await Promise.all(children.map((child) => getResidentBytes(Number(child))));
    return theirs.reduce((sum, size) => sum + size, own);
  } catch {
    return 0;
  }
}
