import { runRepeatedly } from '../jobs/repeat.ts';
import type { NoticesService } from '../notices.ts';
import { isBucketMissingError } from './s3/failure.ts';
import type { MediaStore } from './store.ts';

const CHECK_INTERVAL_MS = 60_000;

/**
 * Raises a notice if the media bucket is missing or was replaced, and clears the notice once the store works
 * again.
 */
export async function checkBucket(
  store: Pick<MediaStore, 'check'>,
  notices: Pick<NoticesService, 'raise' | 'clear'>,
): Promise<void> {
  try {
    await store.check();
  } catch (error) {
    // Ignores a store that can't be reached, because that doesn't mean that its bucket is missing.
    if (isBucketMissingError(error)) await notices.raise('bucket-missing');
    return;
  }
  await notices.clear('bucket-missing');
}

/**
 * Checks the bucket at intervals. With media on disk, this only clears a notice about a bucket that was used
 * before.
 */
export const watchBucket = (
  store: Pick<MediaStore, 'check'>,
  notices: Pick<NoticesService, 'raise' | 'clear'>,
  log: { warn(fields: object, text: string): void },
) =>
  runRepeatedly(
    () => checkBucket(store, notices),
    CHECK_INTERVAL_MS,
    (error) => log.warn({ error }, 'the notice about the bucket could not be saved; it will be retried'),
  );
