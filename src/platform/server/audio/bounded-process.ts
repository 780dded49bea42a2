import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contract/errors.ts';
import type { Answer, Done, Request } from './inspect.child.ts';
import * as refuse from './refusals.ts';

const HEAP_MB = 256;
const LOOK_AT_MEMORY_EVERY_MS = 100;
/** Of the process alone, before it has been told of a file; a busy machine takes its time. */
const LONGEST_START_MS = 60_000;

/**
 * Lets a process of its own work on one file, and ends it with its ffmpeg when it takes longer or more than given.
 * @throws AppError what the process refused the file for; 'unsupported-media' (415) when it was ended by force
 * @throws Error when the process cannot be started, or failed through no fault of the file
 */
export async function inBoundedProcess(
  request: Request,
  milliseconds: number,
  memoryBytes: number,
): Promise<Done> {
  const child = start(milliseconds);
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
        reject(ready ? refuse.tooMuchWork() : new Error(`The audio inspection does not start: ${trouble}`));
      });
      child.on('message', (answer: Answer) => {
        if (answer === 'ready') {
          ready = true;
          clearTimeout(timer);
          timer = setTimeout(() => end(child), milliseconds);
          memory = setInterval(() => void endIfLargerThan(memoryBytes, child), LOOK_AT_MEMORY_EVERY_MS);
          child.send(request);
        } else if ('done' in answer) resolve(answer.done);
        else if ('refused' in answer) reject(new AppError(answer.refused.code, answer.refused.message));
        else reject(new Error(`The audio inspection failed: ${answer.failed}`));
      });
    });
  } finally {
    clearTimeout(timer);
    clearInterval(memory);
    end(child);
  }
}

const CHILD = fileURLToPath(new URL('./inspect.child.ts', import.meta.url));

/**
 * Through a shell, for what only the kernel can promise: no core dumps, and processor seconds that end the
 * process (and its ffmpeg) even if it loops while its parent has died. Detached: a group of its own, which
 * Ctrl-C at the server does not end and which is ended as a whole.
 */
function start(milliseconds: number): ChildProcess {
  const seconds = Math.ceil(milliseconds / 1000) + 5;
  const script = `ulimit -c 0; ulimit -t ${seconds}; exec "$@"`;
  const node = [process.execPath, `--max-old-space-size=${HEAP_MB}`, CHILD];
  // Nothing secret in its environment: it reads files of strangers.
  const { PATH, LD_LIBRARY_PATH, TMPDIR } = process.env;
  return spawn('/bin/sh', ['-c', script, 'sh', ...node], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    env: { PATH, LD_LIBRARY_PATH, TMPDIR },
  });
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
