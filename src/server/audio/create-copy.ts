import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { runInBoundedProcess } from '../decoding/bounded-process.ts';
import type { Decoders } from '../decoding/sandbox.ts';
import type { CopyRequest } from './decoder/encode-copy.ts';
import { inspectAudio, type AudioFacts } from './inspect.ts';
import { tooExpensiveError } from './errors.ts';

export type CopyLimits = { baseMs: number; perMinuteMs: number; memoryBytes: number };

/**
 * A minute of sound takes a second or two. Three hours take up to five minutes, and their job is killed after
 * twenty.
 */
const DEFAULT_LIMITS: CopyLimits = { baseMs: 60_000, perMinuteMs: 6_000, memoryBytes: 512 * 1024 * 1024 };
/** Tolerance for the padding at the end of either file. Beyond it, lines and loops would be misplaced. */
const MAX_DURATION_DIFFERENCE_MS = 150;

/** Upper bound for 160 kbit/s, which the encoder may exceed a little, plus the sample table. */
const MAX_BYTES_PER_MS = 21;

/** Returns the maximum size of a copy in bytes. */
export const getMaxCopyBytes = ({ durationMs }: Pick<CopyRequest, 'durationMs'>) =>
  Math.ceil(durationMs * MAX_BYTES_PER_MS);

// Separate from the inspection queue: minutes of transcoding must not delay a student's recording.
const runQueued = createConcurrencyLimiter({ maxConcurrent: 1 });

type Options = Decoders & { ffmpegPath: string; signal?: AbortSignal };

/**
 * Makes a copy of a sound that can be played instead of it, in a bounded process like an inspection.
 * @param to path of the copy; must not exist yet
 * @returns the copy's facts, determined from its bytes like any other file's; null if it would not be worthwhile
 * @throws Error also if the copy's duration differs
 */
export async function createCopy(
  path: string,
  to: string,
  wanted: CopyRequest,
  { ffmpegPath, sandbox, signal }: Options,
  limits: CopyLimits = DEFAULT_LIMITS,
): Promise<AudioFacts | null> {
  const milliseconds = limits.baseMs + (wanted.durationMs / 60_000) * limits.perMinuteMs;
  const { isWorthwhile } = await runQueued(() =>
    runInBoundedProcess(
      { name: 'copy', wanted, ffmpegPath },
      { from: path, to },
      {
        ...{ sandbox, milliseconds, memoryBytes: limits.memoryBytes, tooMuch: tooExpensiveError },
        ...(signal && { signal }),
      },
    ),
  );
  if (!isWorthwhile) return null;
  // Inspected without ffmpeg, from its packets alone: the waveform is the original's, so nothing needs decoding.
  const copy = await inspectAudio(
    to,
    { maxSeconds: Infinity, kinds: ['m4a', 'mp3'] },
    { ffmpegPath: null, sandbox },
  );
  if (Math.abs(copy.durationMs - wanted.durationMs) > MAX_DURATION_DIFFERENCE_MS)
    throw new Error(`a copy lasts ${copy.durationMs} ms, its original ${wanted.durationMs} ms`);
  return copy;
}
