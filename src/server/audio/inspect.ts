import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { runInBoundedProcess } from '../decoding/bounded-process.ts';
import type { DecodingTools } from '../decoding/sandbox.ts';
import { inspectIfWav } from './decoder/inspect-audio-file.ts';
import { createAudioTooExpensiveError } from './errors.ts';
import { arePlausibleAudioFacts, type AudioFacts, type AudioRules } from './rules.ts';

export type { AudioFacts, AudioRules } from './rules.ts';

/** Limits of an inspection, which is killed when it exceeds any of them. */
export type InspectionLimits = {
  /** Part of the time limit that doesn't depend on the file, in ms. */
  baseMs: number;
  /** Additional time per megabyte, in ms. A three-hour MP3 of 100 MB takes half a minute without ffmpeg. */
  perMegabyteMs: number;
  /** Limit on the resident memory of the process and its ffmpeg. Enforced only on systems that have /proc. */
  memoryBytes: number;
};

type InspectionOptions = {
  limits?: InspectionLimits;
  /**
   * Called with 0 when the inspection begins. For a long file, also called occasionally with the share that has
   * been decoded, up to 1.
   */
  onProgress?: (fraction: number) => void;
};

const DEFAULT_LIMITS: InspectionLimits = {
  baseMs: 90_000,
  perMegabyteMs: 1_500,
  memoryBytes: 512 * 1024 * 1024,
};

/**
 * Size above which a file counts as long, in bytes. No recording is larger. A melody may be larger, and take
 * half a minute to decode.
 */
const MIN_LONG_BYTES = 10 * 1024 * 1024;

/** Queue for an inspection. Long files have a separate queue, so that recordings don't wait for them. */
export type InspectionQueue = 'short' | 'long';
export const getInspectionQueue = (size: number): InspectionQueue =>
  size > MIN_LONG_BYTES ? 'long' : 'short';

const queues = {
  short: createConcurrencyLimiter({ maxConcurrent: 2 }),
  long: createConcurrencyLimiter({ maxConcurrent: 1 }),
};

/**
 * Determines from a file's bytes whether it is audio that browsers play, its real duration, and its peaks. If
 * the format needs decoding, this happens in a child process with limits on time and memory. At most two short
 * files and one long file are inspected concurrently, and other files wait in a queue.
 * @param path a complete regular file that nobody is writing to
 * @throws AppError 'unsupported-media' (415) with the reason, or 'bad-input' (400) if the file is too long
 * @throws Error if the file cannot be opened, or if the decoder cannot be started, fails or sends an invalid
 * result
 */
export async function inspectAudio(
  path: string,
  rules: AudioRules,
  { ffmpegPath, sandbox }: DecodingTools,
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
      { sandbox, milliseconds, memoryBytes: limits.memoryBytes, tooMuch: createAudioTooExpensiveError },
      onProgress,
    );
    // Rejects implausible facts. A crafted file may have compromised the decoder, which could then return
    // anything.
    if (!arePlausibleAudioFacts(answer.facts, rules))
      throw new Error('The decoder returned an invalid result');
    return answer.facts;
  });
}

/**
 * Inspects a file that needs no decoder. Opens the file in non-blocking mode, because opening a FIFO could
 * block this process.
 * @returns null for a file that needs a decoder, or that is not a regular file
 */
async function inspectWithoutDecoder(path: string, rules: AudioRules): Promise<AudioFacts | null> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return (await file.stat()).isFile() ? await inspectIfWav(file, rules) : null;
}
