import { concurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { inBoundedProcess } from '../decoding/bounded-process.ts';
import type { Decoders } from '../decoding/sandbox.ts';
import type { PassageWanted } from './decoder/cut-passage.ts';
import { tooMuchWork } from './refusals.ts';

/** Maximum time for one passage: decoding half an hour takes some seconds. */
const MILLISECONDS = 60_000;
const MEMORY_BYTES = 512 * 1024 * 1024;

// Separate from the inspection queue, so that uploads don't wait for it.
const queued = concurrencyLimiter({ atOnce: 1 });

/**
 * Cuts a passage out of a sound, decoding it in a child process like an inspection.
 * @param to path of the passage, a WAV; must not exist yet
 * @throws AppError if it can't be decoded here
 */
export async function makePassage(
  path: string,
  to: string,
  wanted: PassageWanted,
  { ffmpegPath, sandbox }: Decoders,
): Promise<void> {
  await queued(() =>
    inBoundedProcess(
      { name: 'passage', wanted, ffmpegPath },
      { from: path, to },
      { sandbox, milliseconds: MILLISECONDS, memoryBytes: MEMORY_BYTES, tooMuch: tooMuchWork },
    ),
  );
}
