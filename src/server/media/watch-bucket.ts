import { repeat } from '../jobs/repeat.ts';
import type { Notices } from '../notices.ts';
import { isBucketMissing } from './s3/failure.ts';
import type { MediaStore } from './store.ts';

const CHECK_INTERVAL_MS = 60_000;

/** Raises a notice if the bucket of the media is missing or another one, and clears it once the store answers again. */
export async function checkBucket(
  store: Pick<MediaStore, 'check'>,
  notices: Pick<Notices, 'raise' | 'clear'>,
): Promise<void> {
  try {
    await store.check();
  } catch (error) {
    // A store that is out of reach says nothing about its bucket.
    if (isBucketMissing(error)) await notices.raise('bucket-missing');
    return;
  }
  await notices.clear('bucket-missing');
}

/** Checks now and then. A store on disk only clears what an earlier bucket left. */
export const watchBucket = (
  store: Pick<MediaStore, 'check'>,
  notices: Pick<Notices, 'raise' | 'clear'>,
  log: { warn(fields: object, text: string): void },
) =>
  repeat(
    () => checkBucket(store, notices),
    CHECK_INTERVAL_MS,
    (error) => log.warn({ error }, 'the notice about the bucket could not be saved; it will be retried'),
  );
