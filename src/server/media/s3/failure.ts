import { AppError } from '#shared/errors.ts';
import { STORAGE_UNREACHABLE_MESSAGE } from '#server/data-folder/data-folder.ts';
import type { Log } from '#server/log.ts';
import { createStorageFullError } from '../disk-space.ts';

const RETRY_AFTER_SECONDS = 5;

/** Properties of the SDK's errors that are used here. */
type S3Error = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

/** Names of the errors for a full store or an exceeded quota. */
const STORE_FULL_ERRORS = new Set(['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded']);

const EXPLANATIONS: Record<string, string> = {
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

/** Explains an error to the operator in one sentence, which never contains the access key. */
export function explainS3Error(error: unknown): string {
  const { name, message, $metadata } = error as S3Error;
  if (Object.hasOwn(EXPLANATIONS, name)) return EXPLANATIONS[name]!;
  const status = $metadata?.httpStatusCode;
  if (status !== undefined) return `the S3 store answered ${status} ${name}`;
  if (name === 'AbortError' || name === 'TimeoutError') return 'the S3 store does not answer in time';
  return `the S3 store can’t be reached (${message || (error as S3Error).code || name}); check S3_ENDPOINT, and that it runs`;
}

/** Returns the error name that the store sent. */
export const getS3ErrorName = (error: unknown) => (error as S3Error).name;

export type S3Activity = 'reading' | 'writing';

/**
 * Creates a reporter for failures of a store. Users get one message if the store is full, and another one for
 * all other failures. The operator gets the reason. A failure is logged once when it begins and once when it
 * ends.
 */
export function createS3FailureReporter(log: Pick<Log, 'error' | 'warn'>, store: string) {
  let current: { why: string; doing: S3Activity } | null = null;

  return {
    /**
     * Logs a failure, unless the last one had the same reason.
     * @returns the error to throw, with a cause for the operator
     */
    failed(error: unknown, doing: S3Activity): AppError {
      const why = explainS3Error(error);
      if (why !== current?.why) {
        log.error(
          { store, error },
          `${why}; until then no file can be ${doing === 'reading' ? 'heard' : 'kept'}`,
        );
        current = { why, doing };
      }
      if (STORE_FULL_ERRORS.has(getS3ErrorName(error))) return createStorageFullError();
      return getS3ErrorName(error) === 'NoSuchBucket'
        ? createBucketMissingError(store, why)
        : createStoreUnreachableError(store, why);
    },

    /**
     * Records a success, which ends a failure of the same activity only. For example, a store whose quota is
     * exceeded can't be written to, but may still be readable.
     */
    succeeded(doing: S3Activity) {
      if (current?.doing !== doing) return;
      log.warn({ store }, 'the S3 store answers again');
      current = null;
    },
  };
}

/**
 * Creates the error for a store that can't be reached.
 * @param why reason for the operator, shown at startup
 */
export const createStoreUnreachableError = (store: string, why: string) =>
  Object.assign(
    new AppError('unavailable', STORAGE_UNREACHABLE_MESSAGE, { retryAfter: RETRY_AFTER_SECONDS }),
    {
      cause: new Error(`Media are to be in ${store}, but ${why}.`),
    },
  );

/**
 * Creates the error for a bucket that is missing or has been replaced. No retry can fix this, so the operator
 * has to.
 */
export const createBucketMissingError = (store: string, why: string) =>
  Object.assign(createStoreUnreachableError(store, why), { isBucketMissing: true });

export const isBucketMissingError = (error: unknown) =>
  error instanceof AppError && 'isBucketMissing' in error;
