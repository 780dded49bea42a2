import { BUCKET, makeBucket, startCeph, startGateway, whyNoCeph } from '../src/testing/ceph.ts';
import { whyNoNginx } from '../src/testing/nginx.ts';

// In the environment, because the test runner's workers get no more than that from their set-up.
const STORE = 'YANGCHEN_TEST_STORE';

/** Set-up of journeys at scale: starts the S3 store of all of them. */
export default async function startStore() {
  const missing = whyNoCeph() ?? whyNoNginx();
  if (missing) throw new Error(`The journeys at scale can’t run: ${missing}`);
  const { ceph, stop } = await startCeph();
  const gateway = await startGateway(ceph);
  await makeBucket({ ...ceph, endpoint: gateway.endpoint }, BUCKET);
  process.env[STORE] = JSON.stringify({
    S3_ENDPOINT: gateway.endpoint,
    S3_BUCKET: BUCKET,
    S3_ACCESS_KEY_ID: ceph.accessKeyId,
    S3_SECRET_ACCESS_KEY: ceph.secretAccessKey,
  });
  return async () => {
    await gateway.kill();
    await stop();
  };
}

/** The settings that put media there, under a prefix; null where the journeys don't run at scale. */
export function storeSettings(prefix: string): NodeJS.ProcessEnv | null {
  const settings = process.env[STORE];
  return settings ? { ...(JSON.parse(settings) as NodeJS.ProcessEnv), S3_PREFIX: prefix } : null;
}
