import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { runInBoundedProcess } from '../decoding/bounded-process.ts';
import type { DecodingTools } from '../decoding/sandbox.ts';
import type { SoundCopyRequest } from './decoder/encode-sound-copy.ts';
import { inspectAudio, type AudioFacts } from './inspect.ts';
import { createAudioTooExpensiveError } from './errors.ts';

export type SoundCopyLimits = { baseMs: number; perMinuteMs: number; memoryBytes: number };

/**
 * Limits for creating a copy. Encoding takes one to two seconds per minute of audio, so three hours of audio
 * take three to six minutes. The encoder is killed only after about twenty minutes.
 */
const DEFAULT_LIMITS: SoundCopyLimits = {
  baseMs: 60_000,
  perMinuteMs: 6_000,
  memoryBytes: 512 * 1024 * 1024,
};
/**
 * Maximum difference between the durations of original and copy. Smaller differences come from padding at the
 * end of either file. A larger difference would misplace lines and loops.
 */
const MAX_DURATION_DIFFERENCE_MS = 150;

/**
 * Upper bound for the size of a copy, per ms of audio: 160 kbit/s, which the encoder may slightly exceed, plus
 * the index of an M4A.
 */
const MAX_BYTES_PER_MS = 21;

/** Returns the maximum size of a copy in bytes. */
export const getMaxSoundCopyBytes = ({ durationMs }: Pick<SoundCopyRequest, 'durationMs'>) =>
  Math.ceil(durationMs * MAX_BYTES_PER_MS);

// Queues copies separately, because minutes of transcoding must not delay the inspection of a recording.
const runQueued = createConcurrencyLimiter({ maxConcurrent: 1 });

type Options = DecodingTools & { ffmpegPath: string; signal?: AbortSignal };

/**
 * Creates a copy of an audio file that can be played instead of the original. Encodes it in a child process
 * with limits on time and memory.
 * @param to path of the copy, which must not exist yet
 * @returns facts about the copy, from an inspection of its bytes; null if a copy would not be worthwhile
 * @throws Error if the copy can't be made, or if its duration differs from the original's
 */
export async function createSoundCopy(
  path: string,
  to: string,
  wanted: SoundCopyRequest,
  { ffmpegPath, sandbox, signal }: Options,
  limits: SoundCopyLimits = DEFAULT_LIMITS,
): Promise<AudioFacts | null> {
  const milliseconds = limits.baseMs + (wanted.durationMs / 60_000) * limits.perMinuteMs;
  const { isWorthwhile } = await runQueued(() =>
    runInBoundedProcess(
      { name: 'copy', wanted, ffmpegPath },
      { from: path, to },
      {
        ...{ sandbox, milliseconds, memoryBytes: limits.memoryBytes, tooMuch: createAudioTooExpensiveError },
        ...(signal && { signal }),
      },
    ),
  );
  if (!isWorthwhile) return null;
  // Inspects the copy without ffmpeg, from its packets alone. Decoding it is unnecessary, because the copy uses
  // the original's waveform.
  const copy = await inspectAudio(
    to,
    { maxSeconds: Infinity, kinds: ['m4a', 'mp3'] },
    { ffmpegPath: null, sandbox },
  );
  if (Math.abs(copy.durationMs - wanted.durationMs) > MAX_DURATION_DIFFERENCE_MS)
    throw new Error(`a copy lasts ${copy.durationMs} ms, its original ${wanted.durationMs} ms`);
  return copy;
}
