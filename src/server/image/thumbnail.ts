import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { runInBoundedProcess } from '../decoding/bounded-process.ts';
import type { DecodingTools } from '../decoding/sandbox.ts';
import { createImageTooExpensiveError } from './errors.ts';
import type { ThumbnailFacts } from './render-thumbnail.ts';

/**
 * Time limit in ms. The largest accepted picture is decoded within seconds, and takes half of `MEMORY_BYTES`.
 */
const TIMEOUT_MS = 60_000;
const MEMORY_BYTES = 768 * 1024 * 1024;

const runQueued = createConcurrencyLimiter({ maxConcurrent: 1 });

const isPlausible = (value: Partial<ThumbnailFacts> | undefined): value is ThumbnailFacts =>
  value?.contentType === 'image/webp' && Number.isInteger(value.width) && Number.isInteger(value.height);

/**
 * Creates the thumbnail to store: WebP, at most 960 px wide, upright, without metadata. For an animation, uses
 * only the first frame. Decodes one picture at a time, in a child process with limits on time and memory.
 * @param outputPath path of the thumbnail, which must not exist yet
 * @throws AppError 'unsupported-media' (415) if the file isn't JPEG, PNG, WebP, GIF or AVIF, is broken, or is
 * huge; then nothing is written
 */
export async function createThumbnail(
  inputPath: string,
  outputPath: string,
  { sandbox }: Pick<DecodingTools, 'sandbox'>,
): Promise<ThumbnailFacts> {
  const bounds = {
    sandbox,
    milliseconds: TIMEOUT_MS,
    memoryBytes: MEMORY_BYTES,
    tooMuch: createImageTooExpensiveError,
  };
  const { thumbnail } = await runQueued(() =>
    runInBoundedProcess({ name: 'thumbnail' }, { from: inputPath, to: outputPath }, bounds),
  );
  // Rejects an implausible result. A crafted file may have compromised the decoder, which could then return
  // anything.
  if (!isPlausible(thumbnail)) throw new Error('The decoder returned an invalid result');
  return thumbnail;
}
