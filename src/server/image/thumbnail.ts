import { concurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { inBoundedProcess } from '../decoding/bounded-process.ts';
import type { Decoders } from '../decoding/sandbox.ts';
import { tooMuchWork } from './refusals.ts';
import type { Thumbnail } from './render-thumbnail.ts';

/** Time limit, in ms. The largest accepted picture decodes within seconds, and fits twice into the memory below. */
const MILLISECONDS = 60_000;
const MEMORY_BYTES = 768 * 1024 * 1024;

const queued = concurrencyLimiter({ atOnce: 1 });

const isPossible = (value: Partial<Thumbnail> | undefined): value is Thumbnail =>
  value?.contentType === 'image/webp' && Number.isInteger(value.width) && Number.isInteger(value.height);

/**
 * Creates the stored picture: WebP, at most 960 px wide, upright, without metadata. Of an animation, it keeps the
 * first frame. Runs in a child process with limits on time and memory, one at a time.
 * @param outputPath must not exist yet
 * @throws AppError 'unsupported-media' (415) if it isn't JPEG, PNG, WebP, GIF or AVIF, is broken, or is huge; then
 * nothing is written
 */
export async function makeThumbnail(
  inputPath: string,
  outputPath: string,
  { sandbox }: Pick<Decoders, 'sandbox'>,
): Promise<Thumbnail> {
  const bounds = { sandbox, milliseconds: MILLISECONDS, memoryBytes: MEMORY_BYTES, tooMuch: tooMuchWork };
  const { thumbnail } = await queued(() =>
    inBoundedProcess({ name: 'thumbnail' }, { from: inputPath, to: outputPath }, bounds),
  );
  // A decoder that was compromised by a crafted file may return anything.
  if (!isPossible(thumbnail)) throw new Error('The decoder sent what makes no sense');
  return thumbnail;
}
