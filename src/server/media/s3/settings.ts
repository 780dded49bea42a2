import { isIP } from 'node:net';

/** Location of media in an S3-compatible store, and the key to access it. */
export type S3Settings = {
  /** URL of the store; null for AWS in this region. */
  endpoint: string | null;
  region: string;
  bucket: string;
  /** Empty, or ending in a slash. */
  prefix: string;
  forcePathStyle: boolean;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Values of the environment variables, each already validated individually. */
export type S3Variables = {
  S3_ENDPOINT?: string | undefined;
  S3_REGION?: string | undefined;
  S3_BUCKET?: string | undefined;
  S3_PREFIX?: string | undefined;
  S3_FORCE_PATH_STYLE?: boolean | undefined;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
};

const REQUIRED_VARIABLES = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** Region to send to stores that don't have regions. */
const DEFAULT_REGION = 'us-east-1';

/**
 * Combines the variables into the settings.
 * @returns null if none is set
 * @throws Error whose message names the variable that is missing or conflicts with another
 */
export function parseS3Settings(given: S3Variables): S3Settings | null {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  if (set.length === 0) return null;
  const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: bucket } = given;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given;
  if (!bucket || !accessKeyId || !secretAccessKey) {
    const missing = REQUIRED_VARIABLES.find((name) => given[name] === undefined);
    throw new Error(
      `${missing}: is missing; an S3 store needs ${REQUIRED_VARIABLES.join(', ')}; unset all S3_… to keep media in DATA_DIR`,
    );
  }
  if (!endpoint && !region) {
    throw new Error(
      'S3_ENDPOINT: is missing; set it to the address of the store, or S3_REGION for Amazon’s own',
    );
  }
  const forcePathStyle = given.S3_FORCE_PATH_STYLE ?? endpoint !== undefined;
  if (!forcePathStyle && endpoint && isIP(new URL(endpoint).hostname.replaceAll(/[[\]]/g, '')) !== 0) {
    throw new Error(
      'S3_FORCE_PATH_STYLE: must be true if S3_ENDPOINT is an IP address, because a bucket’s name can’t come before it',
    );
  }
  if (!forcePathStyle && !DNS_NAME.test(bucket)) {
    throw new Error(
      'S3_FORCE_PATH_STYLE: must be true with this S3_BUCKET, because its name can’t be part of a host name',
    );
  }
  return {
    endpoint: endpoint ?? null,
    region: region ?? DEFAULT_REGION,
    bucket,
    prefix: normalizePrefix(given.S3_PREFIX ?? ''),
    forcePathStyle,
    accessKeyId,
    secretAccessKey,
  };
}

const DNS_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

/** Normalizes a prefix: `songs`, `/songs` and `songs/` become `songs/`. */
function normalizePrefix(prefix: string): string {
  const path = prefix.replace(/^\/+/, '').replace(/\/+$/, '');
  return path === '' ? '' : `${path}/`;
}

/** Describes the store to the operator. */
export const describeS3Store = ({ endpoint, region, bucket, prefix }: S3Settings) =>
  `the bucket ${bucket}${prefix && ` under ${prefix}`} at ${endpoint ?? `Amazon S3 in ${region}`}`;
