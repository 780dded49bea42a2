import { stat } from 'node:fs/promises';
import { concurrency } from '../concurrency.ts';
import { inBoundedProcess } from '../decoding/bounded-process.ts';
import type { Decoders } from '../decoding/decoders.ts';
import { tooMuchWork } from './refusals.ts';
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

const inTurn = concurrency(2);

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
  { ffmpegPath, sandbox }: Decoders,
  limits: InspectionLimits = DEFAULT_LIMITS,
): Promise<AudioFacts> {
  const { size } = await stat(path);
  const milliseconds = limits.baseMs + (size / 1024 / 1024) * limits.perMegabyteMs;
  const answer = await inTurn(() =>
    inBoundedProcess(
      { name: 'inspect', rules, ffmpegPath },
      { from: path },
      { sandbox, milliseconds, memoryBytes: limits.memoryBytes, tooMuch: tooMuchWork },
    ),
  );
  return answer.facts!;
}
