import { setTimeout as wait } from 'node:timers/promises';
import { openLog } from '#server/log.ts';
import { openS3Store } from '#server/media/s3/store.ts';
import { readSettings } from '#server/config/settings.ts';
import { toS3Environment, startS3 } from '#testing/ceph.ts';
import type { TestClient } from '#testing/client.ts';
import { startReplicatedProgram, type ReplicatedProgram } from '#testing/replicated-program.ts';
import type { ChaosOptions, Findings } from './harness/findings.ts';
import { readStoredValues, type StoredFileHashes } from './harness/stored-data.ts';
import { injectFaultsUnderLoad, CHAOS_ENVIRONMENT, type FaultContext } from './harness/under-load.ts';

const STUDENTS = 8;
const READERS = 4;

/** For each fault: how many processes end, by which signal, and whether the database is killed too. */
const FAULTS = {
  'one process killed': { ends: 1, signal: 'SIGKILL', database: false },
  'one process told to end': { ends: 1, signal: 'SIGTERM', database: false },
  'both processes killed': { ends: 2, signal: 'SIGKILL', database: false },
  'database killed': { ends: 0, signal: 'SIGKILL', database: true },
  'one process and the database killed': { ends: 1, signal: 'SIGKILL', database: true },
} as const;
type Fault = keyof typeof FAULTS;

/** The faults in the order in which they are used. Killing one process occurs twice. */
const CARDS: Fault[] = ['one process killed', ...(Object.keys(FAULTS) as Fault[])];

/**
 * Kills one or both of two processes behind nginx, or their database, while people work. What was confirmed
 * must be stored exactly once. If only one process ends, reads must not fail.
 */
export async function runProcessKills(
  options: ChaosOptions & { media: 'on disk' | 'in S3' },
): Promise<Findings> {
  const store = options.media === 'in S3' ? await startS3Store() : null;
  let program: ReplicatedProgram | null = null;
  try {
    const scaled = (program = await startReplicatedProgram({
      ...CHAOS_ENVIRONMENT,
      ...store?.environment,
    }));
    const { url, database, dataDir } = scaled;
    return await injectFaultsUnderLoad({
      ...options,
      url,
      students: STUDENTS,
      faults: CARDS.map((name) => [name, (scene) => injectFault(scaled, name, scene)]),
      readKept: () => readStoredValues(database.connection, dataDir, store?.readSounds),
    });
  } finally {
    await program?.end();
    await store?.end();
  }
}

async function injectFault(program: ReplicatedProgram, fault: Fault, { random, students }: FaultContext) {
  const { ends, signal, database } = FAULTS[fault];
  const first = random.pick([0, 1]);
  const ended = [first, 1 - first].slice(0, ends);
  const reads = ends === 1 && !database ? startReading(students[0]!) : null;
  await wait(random.between(50, 200));
  await Promise.all([
    ...ended.map((which) => program.programs[which]!.end(signal)),
    database ? program.database.kill() : null,
  ]);
  if (database) await program.database.start();
  await Promise.all(ended.map((which) => program.restart(which)));
  await wait(random.between(100, 500));
  return (await reads?.stop()) ?? [];
}

/** Reads the library repeatedly. */
function startReading(client: TestClient) {
  const failed: string[] = [];
  let isOver = false;
  const reading = Array.from({ length: READERS }, async () => {
    while (!isOver) {
      const reply = await client.get('/api/melodies').catch((error: unknown) => ({ status: String(error) }));
      if (reply.status !== 200) failed.push(`a read failed: ${reply.status}`);
    }
  });
  return {
    async stop() {
      isOver = true;
      await Promise.all(reading);
      return failed;
    },
  };
}

/** Starts a real S3 store. `readSounds` returns the hashes of its files. */
async function startS3Store() {
  const { s3, end } = await startS3();
  const environment = toS3Environment(s3);
  const store = openS3Store(readSettings(environment).s3!, openLog('silent'));
  // Files never change, so each is hashed only once. They may be deleted, so the list is read each time.
  const known: StoredFileHashes = new Map();
  return {
    environment,
    async readSounds(): Promise<StoredFileHashes> {
      const found: StoredFileHashes = new Map();
      for await (const { name } of store.list()) {
        const sha256 = known.get(name) ?? (await store.digest(name))?.sha256;
        if (sha256) found.set(name, sha256);
      }
      for (const [name, sha256] of found) known.set(name, sha256);
      return found;
    },
    end,
  };
}
