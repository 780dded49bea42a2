import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrateDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/postgres/start.ts';
import { openLog } from '#server/log.ts';

// Name of the environment variable that contains the cluster's folder. The set-up can't pass anything else to
// the test runners' workers.
const CLUSTER_VARIABLE = 'YANGCHEN_TEST_CLUSTER';

/** Creates one migrated database cluster for the test run; tests start from copies of it. */
export default async function createTemplateCluster() {
  const dataDir = await mkdtemp(join(tmpdir(), 'yangchen-cluster-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: openLog('silent') });
  await migrateDatabase(postgres);
  await postgres.stop();
  process.env[CLUSTER_VARIABLE] = join(dataDir, 'postgres');
  return () => rm(dataDir, { recursive: true, force: true });
}

/** Returns whether a test run starts the program, rather than a benchmark or `npm run chaos`. */
export const isTestRun = () => process.env[CLUSTER_VARIABLE] !== undefined;

/**
 * Copies the test run's cluster, if there is one, into the data folder, but only if the folder is empty and
 * belongs to this system user. Copying is much faster than creating a new cluster.
 */
export async function copyTemplateCluster(dataDir: string): Promise<void> {
  const cluster = process.env[CLUSTER_VARIABLE];
  if (!cluster || !(await isEmptyAndOurs(dataDir))) return;
  await promisify(execFile)('cp', ['-a', cluster, join(dataDir, 'postgres')]);
}

async function isEmptyAndOurs(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null);
  return found?.uid === process.getuid?.() && (await readdir(folder)).length === 0;
}
