import { toS3Environment, startS3, explainMissingCeph } from '#testing/ceph.ts';
import { explainMissingNginx } from '#testing/nginx.ts';

// Name of the environment variable that contains the store's settings. The global setup can't pass anything
// else to the test runner's workers.
const STORE = 'YANGCHEN_TEST_STORE';

/** Global setup of the journeys at scale: starts the S3 store that all of them use. */
export default async function startS3Store() {
  const missing = explainMissingCeph() ?? explainMissingNginx();
  if (missing) throw new Error(`The journeys at scale can’t run: ${missing}`);
  const { s3, end } = await startS3();
  process.env[STORE] = JSON.stringify(toS3Environment(s3));
  return end;
}

/**
 * Returns the settings for storing media in the S3 store under a prefix; null unless the journeys run at scale.
 */
export function getS3StoreEnvironment(prefix: string): NodeJS.ProcessEnv | null {
  const settings = process.env[STORE];
  return settings ? { ...(JSON.parse(settings) as NodeJS.ProcessEnv), S3_PREFIX: prefix } : null;
}
