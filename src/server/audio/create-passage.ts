import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { runInBoundedProcess } from '../decoding/bounded-process.ts';
import type { DecodingTools } from '../decoding/sandbox.ts';
import type { PassageRange } from './decoder/cut-passage.ts';
import { createAudioTooExpensiveError } from './errors.ts';

/**
 * Time limit for cutting a passage. The audio before the passage is decoded too, and decoding half an hour
 * takes a few seconds.
 */
const TIMEOUT_MS = 60_000;
const MEMORY_BYTES = 512 * 1024 * 1024;

// Queues passages separately, so that the inspection of uploads doesn't wait for them.
const runQueued = createConcurrencyLimiter({ maxConcurrent: 1 });

/**
 * Cuts a passage out of an audio file. Decodes it in a child process with limits on time and memory.
 * @param to path of the passage (WAV), which must not exist yet
 * @throws AppError if no available decoder supports the file, the passage is empty, or a limit is exceeded;
 * Error like `runInBoundedProcess`
 */
export async function createPassage(
  path: string,
  to: string,
  wanted: PassageRange,
  { ffmpegPath, sandbox }: DecodingTools,
): Promise<void> {
  await runQueued(() =>
    runInBoundedProcess(
      { name: 'passage', wanted, ffmpegPath },
      { from: path, to },
      { sandbox, milliseconds: TIMEOUT_MS, memoryBytes: MEMORY_BYTES, tooMuch: createAudioTooExpensiveError },
    ),
  );
}
