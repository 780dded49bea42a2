import { concurrency } from '../concurrency.ts';
import { inBoundedProcess } from '../decoding/bounded-process.ts';
import type { Decoders } from '../decoding/decoders.ts';
import { tooMuchWork } from './inspect.ts';
import type { Thumbnail } from './render-thumbnail.ts';

/** The largest picture that is taken is decoded within seconds, and fits in here twice. */
const MILLISECONDS = 60_000;
const MEMORY_BYTES = 768 * 1024 * 1024;

const inTurn = concurrency(1);

/**
 * Makes the picture that is kept: WebP, at most 960 px wide, upright, without what a camera wrote into it; of
 * a moving picture the first frame. Happens in a process of its own with bounds on time and memory, one at a time.
 * @param outputPath nothing is there yet
 * @throws AppError 'unsupported-media' (415): no JPEG, PNG, WebP, GIF or AVIF, or broken, or immense; then
 *   nothing is written
 */
export async function makeThumbnail(
  inputPath: string,
  outputPath: string,
  { sandbox }: Pick<Decoders, 'sandbox'>,
): Promise<Thumbnail> {
  const bounds = { sandbox, milliseconds: MILLISECONDS, memoryBytes: MEMORY_BYTES, tooMuch: tooMuchWork };
  const { thumbnail } = await inTurn(() =>
    inBoundedProcess({ name: 'thumbnail' }, { from: inputPath, to: outputPath }, bounds),
  );
  return thumbnail!;
}
