import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { runInBoundedProcess } from '../decoding/bounded-process.ts';
import type { Decoders } from '../decoding/sandbox.ts';
import { examineWithoutDecoder } from './decoder/examine.ts';
import { tooExpensiveError } from './errors.ts';
import { arePlausibleFacts, type AudioFacts, type AudioRules } from './rules.ts';

export type { AudioFacts, AudioRules } from './rules.ts';

/** Limits for one inspection; it is killed when it exceeds one. */
export type InspectionLimits = {
  /** Time allowed for any file. */
  baseMs: number;
  /** Added per megabyte: a three-hour MP3 of 100 MB takes half a minute without ffmpeg. */
  perMegabyteMs: number;
  /** Resident memory of the process and its ffmpeg. Enforced only on systems that have /proc. */
  memoryBytes: number;
};

type InspectionOptions = {
  limits?: InspectionLimits;
  /**
   * Called with 0 when the file's turn comes, then now and then with the share of a long sound that has been
   * decoded, up to 1.
   */
  onProgress?: (fraction: number) => void;
};

const DEFAULT_LIMITS: InspectionLimits = {
  baseMs: 90_000,
  perMegabyteMs: 1_500,
  memoryBytes: 512 * 1024 * 1024,
};

/** Larger than any recording. Only a long melody exceeds it, and may take half a minute to decode. */
const MIN_LONG_BYTES = 10 * 1024 * 1024;

/** Long files have a queue of their own, so that recordings don't wait for them. */
export type InspectionQueue = 'short' | 'long';
export const getInspectionQueue = (size: number): InspectionQueue =>
  size > MIN_LONG_BYTES ? 'long' : 'short';

const queues = {
  short: createConcurrencyLimiter({ maxConcurrent: 2 }),
  long: createConcurrencyLimiter({ maxConcurrent: 1 }),
};

/**
 * Determines from a file's bytes whether it is audio that browsers play, its real duration, and its peaks. Formats
 * that need decoding are decoded in a child process with limits on time and memory. Two short files and one long
 * file run at a time; others wait in a queue.
 * @param path a complete regular file that nobody is writing to
 * @throws AppError 'unsupported-media' (415) not supported, and why; 'bad-input' (400) too long
 * @throws Error if the file cannot be opened or a process cannot be started, never because of the file's content
 */
export async function inspectAudio(
  path: string,
  rules: AudioRules,
  { ffmpegPath, sandbox }: Decoders,
  { limits = DEFAULT_LIMITS, onProgress }: InspectionOptions = {},
): Promise<AudioFacts> {
  const { size } = await stat(path);
  return queues[getInspectionQueue(size)](async () => {
    onProgress?.(0);
    const facts = await inspectWithoutDecoder(path, rules);
    if (facts) return facts;
    const milliseconds = limits.baseMs + (size / 1024 / 1024) * limits.perMegabyteMs;
    const answer = await runInBoundedProcess(
      { name: 'inspect', rules, ffmpegPath },
      { from: path },
      { sandbox, milliseconds, memoryBytes: limits.memoryBytes, tooMuch: tooExpensiveError },
      onProgress,
    );
    // A decoder that was compromised by a crafted file may return anything.
    if (!arePlausibleFacts(answer.facts, rules)) throw new Error('The decoder sent what makes no sense');
    return answer.facts;
  });
}

/** Returns null if the file has to be decoded. Opened without blocking, because a FIFO could block this process. */
async function inspectWithoutDecoder(path: string, rules: AudioRules): Promise<AudioFacts | null> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return (await file.stat()).isFile() ? await examineWithoutDecoder(file, rules) : null;
}
