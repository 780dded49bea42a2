import './decoder-tasks.ts';
import type { FoundLine } from '../alignment/find-lines.ts';
import type { LineStart } from '../alignment/melody-model.ts';
import { isPackedFeatures } from '../alignment/packed-features.ts';
import { createConcurrencyLimiter } from '#server/concurrency/concurrency-limiter.ts';
import { runInBoundedProcess } from '#server/decoding/bounded-process.ts';
import type { DecodingTools } from '#server/decoding/sandbox.ts';
import { createAudioTooExpensiveError } from '#server/audio/errors.ts';

/**
 * Time limit, to which `PER_MINUTE_MS` is added per minute of audio. A minute of audio takes a second or two.
 * With half an hour of melody and recording, the maximum matrix size in alignment/find-lines.ts bounds the
 * time.
 */
const BASE_MS = 120_000;
const PER_MINUTE_MS = 6_000;
const MEMORY_BYTES = 512 * 1024 * 1024;

// Limits searches separately from inspections, so that no upload waits for a search.
const runQueued = createConcurrencyLimiter({ maxConcurrent: 1 });

type Sound = { path: string; seconds: number };
type Options = DecodingTools & { signal?: AbortSignal };

const getLimits = (seconds: number, { sandbox, signal }: Options) => ({
  ...{ sandbox, milliseconds: BASE_MS + (seconds / 60) * PER_MINUTE_MS },
  ...{ memoryBytes: MEMORY_BYTES, tooMuch: createAudioTooExpensiveError, ...(signal && { signal }) },
});

/**
 * Extracts the packed features of a melody. Decoding runs in a separate process with limits on time and memory.
 * @throws AppError if the server can't decode the melody
 */
export async function extractSoundFeatures({ path, seconds }: Sound, options: Options): Promise<Uint8Array> {
  const task = { name: 'features', seconds, ffmpegPath: options.ffmpegPath } as const;
  const { features } = await runQueued(() =>
    runInBoundedProcess(task, { from: path }, getLimits(seconds, options)),
  );
  // Checks the result, because a decoder compromised by a crafted file may return anything.
  if (!isPackedFeatures(seconds, features)) throw new Error('The decoder returned an invalid result');
  return features;
}

/**
 * Finds the lines of a melody in a recording. Decoding and search run in a separate process.
 * @param melody the melody's packed features and line starts
 * @throws AppError if the server can't decode the recording
 */
export async function findLinesInSound(
  { path, seconds }: Sound,
  melody: { features: Uint8Array; starts: LineStart[] },
  options: Options,
): Promise<FoundLine[]> {
  const task = { name: 'lines', seconds, melody, ffmpegPath: options.ffmpegPath } as const;
  const { lines } = await runQueued(() =>
    runInBoundedProcess(task, { from: path }, getLimits(seconds, options)),
  );
  return lines!;
}
