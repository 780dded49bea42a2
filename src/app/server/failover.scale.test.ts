import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { getMediaFilePath, getMediaFolder } from '#server/media/layout.ts';
import { TestClient } from '#testing/client.ts';
import { connectToCommunity, TEACHER_CREDENTIALS } from '#testing/community.ts';
import { startProgram, type RunningProgram } from '#testing/program.ts';
import { explainMissingPostgres, startReplicatedPostgres } from '#testing/replicated-postgres.ts';
import { runScript } from '#testing/run-script.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { createTone } from '#testing/tone.ts';
import { waitFor } from '#testing/wait-for.ts';

const missing = explainMissingPostgres();
beforeEach((test) => {
  if (missing) test.skip(missing);
});

const { cleanUp, folder } = createTestCleanup();

/** Starts processes of the program on one data folder and on a primary with a standby. */
async function startCommunity(mode: 'synchronous' | 'asynchronous', processes: number) {
  const postgres = await startReplicatedPostgres(mode);
  cleanUp.push(postgres.end);
  const dataDir = await folder();
  const environment = {
    ...{ DATABASE_URL: postgres.url, ADMIN_PASSWORD: TEACHER_CREDENTIALS.password, FFMPEG_PATH: 'none' },
    STUDENT_DAILY_RECORDINGS: '100000',
  };
  const programs: RunningProgram[] = [];
  for (let i = 0; i < processes; i += 1) programs.push(await startProgram({ dataDir, environment }));
  cleanUp.push(() => Promise.all(programs.map((program) => program.end('SIGKILL'))));

  const { newStudent, as, addMelody } = await connectToCommunity(programs[0]!.url);
  const melody = await addMelody({ audioFile: { bytes: createTone(3), name: 'kyab.wav' } });
  const { cookies } = await as(await newStudent());
  const clients = programs.map(({ url }) => {
    const client = new TestClient(url);
    for (const [name, value] of cookies) client.cookies.set(name, value);
    return client;
  });
  return { postgres, programs, dataDir, environment, melodyId: melody.id, clients };
}

/**
 * Submits takes continuously, several at a time, each until it is confirmed. Like the browser, repeats a
 * submission with the same key after any failure.
 */
function submitContinuously({ clients, melodyId }: { clients: TestClient[]; melodyId: number }) {
  const confirmed = new Map<string, { take: Buffer; at: number }>();
  const statuses = new Set<number>();
  let isOver = false;
  const submitters = [...clients, ...clients].map(async (client, submitter) => {
    for (let i = 0; !isOver; i += 1) {
      const clientId = randomUUID();
      const take = createTone(1, 200 + i + submitter * 1_000);
      for (;;) {
        const reply = await client
          .form('/api/recordings', {
            ...{ title: 'Kyab', clientId, melodyId },
            audio: { bytes: take, name: 'take.wav' },
          })
          .catch(() => null);
        if (reply) statuses.add(reply.status);
        if (reply?.status === 201 || reply?.status === 200) break;
        await sleep(50);
      }
      confirmed.set(clientId, { take, at: performance.now() });
    }
  });
  return {
    confirmed,
    statuses,
    /** Resolves when each submitter has had a take confirmed after this call. */
    async round() {
      const before = confirmed.size;
      await waitFor(() => expect(confirmed.size).toBeGreaterThanOrEqual(before + 2 * submitters.length));
    },
    async stop() {
      isOver = true;
      await Promise.all(submitters);
    },
  };
}

/** Receives changes like an open page, which opens another stream when one ends. */
function receiveChanges(client: TestClient) {
  let stream: Awaited<ReturnType<typeof client.stream>> | null = null;
  let count = 0;
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      stream = await client.stream('/api/events').catch(() => null);
      await stream?.ended.catch(() => undefined);
      count += stream?.events.length ?? 0;
      stream = null;
      await sleep(100);
    }
  })();
  return {
    countChanges: () => count + (stream?.events.length ?? 0),
    async close() {
      isOver = true;
      await stream?.close();
      await running;
    },
  };
}

type Community = Awaited<ReturnType<typeof startCommunity>>;

async function listStored({ postgres }: Community) {
  const rows = await postgres.query<{ client_id: string; audio_url: string }>(
    'select client_id, audio_url from recordings join media_files on name = audio_url',
  );
  return new Map(rows.map(({ client_id, audio_url }) => [client_id, audio_url]));
}

async function expectAllStored(community: Community, takes: Map<string, { take: Buffer }>) {
  const stored = await listStored(community);
  for (const [clientId, { take }] of takes) {
    const path = join(getMediaFolder(community.dataDir), getMediaFilePath(stored.get(clientId)!));
    expect((await readFile(path)).equals(take)).toBe(true);
  }
}

test('loses no confirmed recording in three failovers to a synchronous standby', async () => {
  const community = await startCommunity('synchronous', 2);
  const { postgres, programs, clients } = community;
  const load = submitContinuously(community);
  const pages = clients.map(receiveChanges);
  cleanUp.push(() => Promise.all(pages.map((page) => page.close())));
  const recoveries: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    await load.round();
    await postgres.killPrimary();
    // Waits until each process has noticed, as an operator or a failover manager would take seconds to react.
    for (const client of clients)
      await waitFor(async () => expect((await client.get('/api/ready')).status).toBe(503));
    const count = load.confirmed.size;
    await sleep(3_000);
    expect(load.confirmed.size).toBe(count);
    const changes = pages.map((page) => page.countChanges());
    const switched = await postgres.failOver();
    await waitFor(() => expect(load.confirmed.size).toBeGreaterThan(count));
    const confirmed = [...load.confirmed.values()][count]!.at;
    await waitFor(() => {
      for (const [at, page] of pages.entries()) expect(page.countChanges()).toBeGreaterThan(changes[at]!);
    });
    const heard = performance.now();
    recoveries.push(`${Math.round(confirmed - switched)} and ${Math.round(heard - switched)} ms`);
    await postgres.rebuildStandby();
  }
  await load.round();
  await load.stop();
  console.log(
    `${load.confirmed.size} recordings. From the switch to the first confirmation, and to live changes in all processes: ${recoveries.join('; ')}`,
  );

  await expectAllStored(community, load.confirmed);
  expect([...load.statuses].filter((status) => ![200, 201].includes(status))).toEqual([503]);
  for (const { child, getOutput } of programs) expect(child.exitCode, getOutput()).toBeNull();
});

test('verify restores the recordings that an asynchronous standby lacks', async () => {
  const community = await startCommunity('asynchronous', 1);
  const { postgres, dataDir, environment } = community;
  const load = submitContinuously(community);
  await load.round();
  await postgres.stopReplication();
  await load.round();
  await load.stop();
  await postgres.killPrimary();
  await postgres.failOver();
  const stored = await listStored(community);
  const lost = [...load.confirmed.keys()].filter((clientId) => !stored.has(clientId));
  expect(lost.length).toBeGreaterThan(0);

  const verify = (...options: string[]) =>
    runScript('verify', ['--after-failover', ...options], { DATA_DIR: dataDir, ...environment });
  expect(await verify()).toMatchObject({ code: 1 });
  const { code, said } = await verify('--mend');
  expect(code, said).toBe(0);
  await expectAllStored(community, load.confirmed);
  expect((await verify()).code).toBe(0);
});
