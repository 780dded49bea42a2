import { AppError } from '#shared/errors.ts';
import { OUT_OF_REACH } from '#server/data-folder/data-folder.ts';
import type { Log } from '#server/log.ts';
import { storageFull } from '../disk-space.ts';

const TRY_AGAIN_SECONDS = 5;

/** The parts of the SDK's errors that are used here. */
type Failure = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

/** Error names for a full store, or a full quota of one user. */
const FULL = new Set(['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded']);

const WHY: Record<string, string> = {
  InvalidAccessKeyId: 'the S3 store does not know the key; check S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'the S3 store refuses the signature; check S3_SECRET_ACCESS_KEY',
  AccessDenied:
    'the S3 store refuses access; check the key, and that it may list the bucket, and get, put and delete its objects',
  NoSuchBucket: 'the S3 store has no such bucket; check S3_BUCKET',
  RequestTimeTooSkewed:
    'the S3 store refuses requests because the clock of this machine or its own is off; set the clock',
  PermanentRedirect:
    'the bucket is in another region, or at another address; check S3_REGION and S3_ENDPOINT',
  AuthorizationHeaderMalformed: 'the bucket is in another region; check S3_REGION',
  NotImplemented: 'the S3 store has no conditional writes (If-None-Match), which are needed here',
};

/** Explains an error to the operator in one sentence, without the key. */
export function whyOf(error: unknown): string {
  const { name, message, $metadata } = error as Failure;
  if (Object.hasOwn(WHY, name)) return WHY[name]!;
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return `the S3 store answered ${status} ${name}`;
  if (name === 'AbortError' || name === 'TimeoutError') return 'the S3 store does not answer in time';
  return `the S3 store can’t be reached (${message || (error as Failure).code || name}); check S3_ENDPOINT, and that it runs`;
}

/** Returns the store's name for an error. */
export const nameOfFailure = (error: unknown) => (error as Failure).name;

export type Doing = 'reading' | 'writing';

/**
 * Reports failures of a store. Users always get the same message; the operator gets the reason. The log gets one
 * line when a failure begins, and one when it has ended.
 */
export function failures(log: Pick<Log, 'error' | 'warn'>, store: string) {
  let current: { why: string; doing: Doing } | null = null;

  return {
    /** @returns the error to throw; its cause is for the operator */
    failed(error: unknown, doing: Doing): AppError {
      const why = whyOf(error);
      if (why !== current?.why) {
        log.error(
          { store, error },
          `${why}; until then no file can be ${doing === 'reading' ? 'heard' : 'kept'}`,
        );
        current = { why, doing };
      }
      if (FULL.has(nameOfFailure(error))) return storageFull();
      return nameOfFailure(error) === 'NoSuchBucket' ? bucketMissing(store, why) : outOfReach(store, why);
    },

    /**
     * Ends a failure of this kind. A store that can't be written, for example because its quota is used up, may
     * still be readable.
     */
    succeeded(doing: Doing) {
      if (current?.doing !== doing) return;
      log.warn({ store }, 'the S3 store answers again');
      current = null;
    },
  };
}

/** @param why for the operator, who reads it at the start */
export const outOfReach = (store: string, why: string) =>
  Object.assign(new AppError('unavailable', OUT_OF_REACH, { retryAfter: TRY_AGAIN_SECONDS }), {
    cause: new Error(`Media are to be in ${store}, but ${why}.`),
  });

/** Like `outOfReach`, for a bucket that is gone or was replaced, which no retry can fix. */
export const bucketMissing = (store: string, why: string) =>
  Object.assign(outOfReach(store, why), { isBucketMissing: true });

export const isBucketMissing = (error: unknown) => error instanceof AppError && 'isBucketMissing' in error;
