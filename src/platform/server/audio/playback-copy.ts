import { concurrency } from '../concurrency.ts';
import { inBoundedProcess } from '../decoding/bounded-process.ts';
import type { Decoders } from '../decoding/decoders.ts';
import { inspectAudio, type AudioFacts } from './inspect.ts';
import { tooMuchWork } from './refusals.ts';

export type CopyLimits = { baseMs: number; perMinuteMs: number; memoryBytes: number };

/** A minute of sound takes a second or two: three hours take up to five minutes, and the job is killed after twenty. */
const DEFAULT_LIMITS: CopyLimits = { baseMs: 60_000, perMinuteMs: 6_000, memoryBytes: 512 * 1024 * 1024 };
/** Tolerance for the encoder's padding; beyond this, lines and loops would be misplaced. */
const WITHIN_MS = 150;

/** Upper bound: 160 kbit/s as in encode-ffmpeg.ts, plus the sample table. */
const BYTES_PER_MS = 21;

/** Maximum size of a copy in bytes. */
export const playbackCopySize = ({ durationMs }: AudioFacts) => Math.ceil(durationMs * BYTES_PER_MS);

// Separate from the inspection queue: minutes of transcoding must not delay a student's recording.
const queued = concurrency(1);

/**
 * Makes an M4A copy of an MP3 in which browsers can only estimate seek positions, within the same limits as an
 * inspection.
 * @param original what the inspection found
 * @param to path of the copy; must not exist yet
 * @returns the facts of the copy, determined from its bytes like any other file
 * @throws Error, also when the copy's duration differs
 */
export async function makePlaybackCopy(
  path: string,
  to: string,
  original: AudioFacts,
  { ffmpegPath, sandbox }: Decoders & { ffmpegPath: string },
  limits: CopyLimits = DEFAULT_LIMITS,
): Promise<AudioFacts> {
  const milliseconds = limits.baseMs + (original.durationMs / 60_000) * limits.perMinuteMs;
  await queued(() =>
    inBoundedProcess(
      { name: 'copy', ffmpegPath },
      { from: path, to },
      { sandbox, milliseconds, memoryBytes: limits.memoryBytes, tooMuch: tooMuchWork },
    ),
  );
  // From its packets alone: the waveform is the original's, so nothing needs decoding.
  const copy = await inspectAudio(
    to,
    { maxSeconds: Infinity, kinds: ['m4a'] },
    { ffmpegPath: null, sandbox },
  );
  if (Math.abs(copy.durationMs - original.durationMs) > WITHIN_MS)
    throw new Error(`a copy lasts ${copy.durationMs} ms, its original ${original.durationMs} ms`);
  return copy;
}
