import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contract/errors.ts';
import { concurrency } from '../concurrency.ts';
import type { Answer, Request } from './inspect.child.ts';
import * as refuse from './refusals.ts';
import type { AudioFacts, AudioRules } from './rules.ts';

export type { AudioFacts, AudioRules } from './rules.ts';

/** What one inspection may use before it is ended by force. */
export type InspectionLimits = {
  /** Whatever the file. */
  baseMs: number;
  /** On top: a three-hour MP3 of 100 MB takes half a minute without ffmpeg. */
  perMegabyteMs: number;
  /** Resident memory of the process and of its ffmpeg; watched where there is /proc. */
  memoryBytes: number;
};

const DEFAULT_LIMITS: InspectionLimits = {
  baseMs: 90_000,
  perMegabyteMs: 1_500,
  memoryBytes: 512 * 1024 * 1024,
};

const HEAP_MB = 256;
const inTurn = concurrency(2);
const LOOK_AT_MEMORY_EVERY_MS = 100;
/** Of the process alone, before it has been told of a file; a busy machine takes its time. */
const LONGEST_START_MS = 60_000;

/**
 * Finds out by its bytes whether a file is sound that browsers play, how long it really is, and its peaks.
 * Happens in a process of its own with bounds on time and memory; two at once, others wait their turn.
 * @param path of a whole, regular file that nobody writes to meanwhile
 * @throws AppError 'unsupported-media' (415) not taken, and why; 'bad-input' (400) longer than the rules allow
 * @throws Error when the file cannot be opened or a process cannot be started: never because of what is in it
 */
export async function inspectAudio(
  path: string,
  rules: AudioRules,
  tools: { ffmpegPath: string | null },
  limits: InspectionLimits = DEFAULT_LIMITS,
): Promise<AudioFacts> {
  const { size } = await stat(path);
  const milliseconds = limits.baseMs + (size / 1024 / 1024) * limits.perMegabyteMs;
  return inTurn(() => outcome(start(milliseconds), { path, rules, tools }, milliseconds, limits.memoryBytes));
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

async function outcome(
  child: ChildProcess,
  request: Request,
  milliseconds: number,
  memoryBytes: number,
): Promise<AudioFacts> {
  let ready = false;
  let trouble = '';
  child.stderr?.on('data', (text: Buffer) => (trouble = (trouble + text.toString()).slice(0, 2000)));
  let timer = setTimeout(() => end(child), LONGEST_START_MS);
  let memory: NodeJS.Timeout | undefined;
  try {
    return await new Promise<AudioFacts>((resolve, reject) => {
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
        } else if ('facts' in answer) resolve(answer.facts);
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
