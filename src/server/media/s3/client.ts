import { S3Client } from '@aws-sdk/client-s3';
import type { Log } from '#server/log.ts';
import type { S3Settings } from './settings.ts';

/** Maximum number of concurrent connections. Each file that is being played needs one. */
const MAX_CONNECTIONS = 1_000;

/**
 * Opens a client for the store. `aheadMs` returns how far the store's clock was ahead of ours at its last
 * response, accurate to a second.
 */
export function openS3Client(settings: S3Settings, log: Log) {
  const client = createClient(settings);
  return { client, aheadMs: watchClock(client, log) };
}

function createClient(settings: S3Settings) {
  const { endpoint, region, forcePathStyle, accessKeyId, secretAccessKey } = settings;
  const agent = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  return new S3Client({
    ...(endpoint && { endpoint }),
    region,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Uses checksums only if required, because many stores don't support the SDK's newer ones.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    retryMode: 'standard',
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, httpAgent: agent, httpsAgent: agent },
    // Sets these options explicitly, because the SDK would otherwise read them from the environment and ~/.aws,
    // whose settings are meant for other programs.
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    logger: SILENT_LOGGER,
  });
}

/** Discards the SDK's log messages, because its errors contain the same information. */
const ignore = () => undefined;
const SILENT_LOGGER = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Measures the skew between the store's clock and ours, and warns the operator if it is large. The SDK
 * compensates for it silently.
 */
function watchClock(client: S3Client, log: Log): () => number {
  let ahead = 0;
  let isSaid = false;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { headers = {} } = result.response as { headers?: Record<string, string> };
      const theirs = Date.parse(headers['date'] ?? '');
      if (Number.isNaN(theirs)) return result;
      ahead = theirs - Date.now();
      if (Math.abs(ahead) > MAX_CLOCK_SKEW_MS && !isSaid) {
        isSaid = true;
        log.warn({ minutes: Math.round(ahead / 60_000) }, CLOCK_SKEWED);
      }
      return result;
    },
    { step: 'deserialize', priority: 'low', name: 'watchClock' },
  );
  return () => ahead;
}

const CLOCK_SKEWED =
  'the clocks of the S3 store and this server differ: correct the one that is wrong (minutes: how far the store is ahead)';
