import { concurrency } from '../concurrency.ts';
import { inBoundedProcess } from '../decoding/bounded-process.ts';
import type { Decoders } from '../decoding/decoders.ts';
import { inspectAudio, type AudioFacts } from './inspect.ts';
import { tooMuchWork } from './refusals.ts';

export type CopyLimits = { baseMs: number; perMinuteMs: number; memoryBytes: number };

/** A minute of sound takes a second or two: three hours are copied within five minutes, and ended after twenty. */
const DEFAULT_LIMITS: CopyLimits = { baseMs: 60_000, perMinuteMs: 6_000, memoryBytes: 512 * 1024 * 1024 };
/** An encoder's padding may go or stay; more than this, and lines and loops would be somewhere else. */
const WITHIN_MS = 150;

/** At most: 160 kbit/s as in encode-ffmpeg.ts, and the table of frames. */
const BYTES_PER_MS = 21;

/** Bytes that a copy will have at most. */
export const playbackCopySize = ({ durationMs }: AudioFacts) => Math.ceil(durationMs * BYTES_PER_MS);

// Beside the inspections and not among them: minutes of copying must not hold up a student's recording.
const inTurn = concurrency(1);

/**
 * Makes an M4A copy of an MP3 in which browsers seek by guessing, through the same bounds as an inspection.
 * @param original what the inspection found
 * @param to where the copy is written; nothing is there yet
 * @returns what the copy is, found by its bytes like any other file
 * @throws Error, also when the copy is not of the same length
 */
export async function makePlaybackCopy(
  path: string,
  to: string,
  original: AudioFacts,
  { ffmpegPath, sandbox }: Decoders & { ffmpegPath: string },
  limits: CopyLimits = DEFAULT_LIMITS,
): Promise<AudioFacts> {
  const milliseconds = limits.baseMs + (original.durationMs / 60_000) * limits.perMinuteMs;
  await inTurn(() =>
    inBoundedProcess(
      { name: 'copy', ffmpegPath },
      { from: path, to },
      { sandbox, milliseconds, memoryBytes: limits.memoryBytes, tooMuch: tooMuchWork },
    ),
  );
  // By its packets alone: the waveform is the original's, so nothing need be decoded.
  const copy = await inspectAudio(
    to,
    { maxSeconds: Infinity, kinds: ['m4a'] },
    { ffmpegPath: null, sandbox },
  );
  if (Math.abs(copy.durationMs - original.durationMs) > WITHIN_MS)
    throw new Error(`a copy lasts ${copy.durationMs} ms, its original ${original.durationMs} ms`);
  return copy;
}
