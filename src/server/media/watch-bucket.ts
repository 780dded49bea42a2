import type { Notices } from '../notices.ts';
import { isBucketMissing } from './s3-failure.ts';
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
export function watchBucket(
  store: Pick<MediaStore, 'check'>,
  notices: Pick<Notices, 'raise' | 'clear'>,
  log: { warn(fields: object, text: string): void },
) {
  let running: Promise<void> = Promise.resolve();
  const look = () => {
    running = checkBucket(store, notices).catch((error: unknown) => {
      log.warn({ error }, 'the notice about the bucket could not be saved; it will be retried');
    });
  };
  look();
  const timer = setInterval(look, CHECK_INTERVAL_MS).unref();
  return {
    /** Resolves when the check in progress has ended. */
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
