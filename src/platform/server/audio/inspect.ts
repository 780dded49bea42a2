import { stat } from 'node:fs/promises';
import { concurrency } from '../concurrency.ts';
import { inBoundedProcess } from '../decoding/bounded-process.ts';
import type { Decoders } from '../decoding/decoders.ts';
import { tooMuchWork } from './refusals.ts';
import type { AudioFacts, AudioRules } from './rules.ts';

export type { AudioFacts, AudioRules } from './rules.ts';

/** What one inspection may use before it is killed. */
export type InspectionLimits = {
  /** For any file. */
  baseMs: number;
  /** Added per byte: a three-hour MP3 of 100 MB takes half a minute without ffmpeg. */
  perMegabyteMs: number;
  /** Resident memory of the process and its ffmpeg; enforced where there is /proc. */
  memoryBytes: number;
};

const DEFAULT_LIMITS: InspectionLimits = {
  baseMs: 90_000,
  perMegabyteMs: 1_500,
  memoryBytes: 512 * 1024 * 1024,
};

const queued = concurrency(2);

/**
 * Determines from a file's bytes whether it is audio that browsers play, its real duration, and its peaks. Runs in a
 * child process with limits on time and memory; two at a time, others queue.
 * @param path a complete regular file that nobody is writing to
 * @throws AppError 'unsupported-media' (415) not supported, and why; 'bad-input' (400) too long
 * @throws Error when the file cannot be opened or a process cannot be started: never because of the file's content
 */
export async function inspectAudio(
  path: string,
  rules: AudioRules,
  { ffmpegPath, sandbox }: Decoders,
  limits: InspectionLimits = DEFAULT_LIMITS,
): Promise<AudioFacts> {
  const { size } = await stat(path);
  const milliseconds = limits.baseMs + (size / 1024 / 1024) * limits.perMegabyteMs;
  const answer = await queued(() =>
    inBoundedProcess(
      { name: 'inspect', rules, ffmpegPath },
      { from: path },
      { sandbox, milliseconds, memoryBytes: limits.memoryBytes, tooMuch: tooMuchWork },
    ),
  );
  return answer.facts!;
}
