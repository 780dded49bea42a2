import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { runInBoundedProcess } from '../decoding/bounded-process.ts';
import type { Decoders } from '../decoding/sandbox.ts';
import type { PassageRequest } from './decoder/cut-passage.ts';
import { tooExpensiveError } from './errors.ts';

/** Maximum time for one passage: decoding half an hour takes some seconds. */
const TIMEOUT_MS = 60_000;
const MEMORY_BYTES = 512 * 1024 * 1024;

// Separate from the inspection queue, so that uploads don't wait for it.
const runQueued = createConcurrencyLimiter({ maxConcurrent: 1 });

/**
 * Cuts a passage out of a sound, decoding it in a child process like an inspection.
 * @param to path of the passage, a WAV; must not exist yet
 * @throws AppError if it can't be decoded here
 */
export async function createPassage(
  path: string,
  to: string,
  wanted: PassageRequest,
  { ffmpegPath, sandbox }: Decoders,
): Promise<void> {
  await runQueued(() =>
    runInBoundedProcess(
      { name: 'passage', wanted, ffmpegPath },
      { from: path, to },
      { sandbox, milliseconds: TIMEOUT_MS, memoryBytes: MEMORY_BYTES, tooMuch: tooExpensiveError },
    ),
  );
}
