import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { startEmbeddedPostgres } from '#server/postgres/start.ts';
import { TestClient } from '#testing/client.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { startProgram } from '#testing/program.ts';
import { createStallingProxy } from '#testing/stalling-proxy.ts';
import { createTone } from '#testing/tone.ts';
import { waitFor, waitUntilProgramReady } from '#testing/wait-for.ts';

const { cleanUp, folder } = createTestCleanup();

async function startTestProgram(dataDir: string, environment: NodeJS.ProcessEnv) {
  const program = await startProgram({
    dataDir,
    environment: { ADMIN_PASSWORD: 'teacher-pass', ...environment },
  });
  cleanUp.push(async () => {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end('SIGKILL');
  });
  return program;
}

const hasEnded = ({ child }: Awaited<ReturnType<typeof startTestProgram>>) =>
  child.exitCode !== null || child.signalCode !== null;
const signIn = (client: TestClient) =>
  client.post('/api/login', { username: 'khandro', password: 'teacher-pass' });

test('recovers all connections after the database repeatedly terminates them', async () => {
  const dataDir = await folder();
  // The pool is so small that any leaked connection would show.
  const program = await startTestProgram(dataDir, { DATABASE_POOL: '4' });
  const teacher = new TestClient(program.url);
  await signIn(teacher);
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const connection = await findRunningConnectionSettings(dataDir);
  const other = openDatabase(connection!, () => undefined, { size: 1 });
  cleanUp.push(() => other.close());

  let isOver = false;
  // Each request runs a transaction, and some also write a file.
  const works = [
    () => signIn(new TestClient(program.url)),
    () => teacher.post('/api/admin/invite-users', { users: [] }),
    () =>
      teacher.form('/api/melodies', {
        title: 'Kyab',
        transmissionLevelId: level!.id,
        audioFile: { bytes: createTone(1), name: 'kyab.wav' },
      }),
  ];
  const load = [...works, ...works].map(async (work) => {
    // Ignores responses and errors, because this test only checks that the process survives.
    while (!isOver) await work().catch(() => undefined);
  });
  for (let round = 0; round < 12 && !hasEnded(program); round += 1) {
    await sleep(100);
    await other.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  }
  // Killing the process of one database session ends all sessions, because PostgreSQL then restarts itself.
  const bystander = new pg.Client(connection!);
  await bystander.connect();
  const isLost = new Promise((resolve) => bystander.once('error', resolve));
  const { rows } = await other.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await isLost;
  isOver = true;
  await Promise.all(load);

  expect(hasEnded(program), program.getOutput()).toBe(false);
  await waitUntilProgramReady(program.url);
  const replies = await Promise.all(Array.from({ length: 8 }, () => signIn(new TestClient(program.url))));
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(await program.end()).toEqual({ code: 0, signal: null });
  // An idle connection belongs to no request, so its loss must not be logged with the id of the request that
  // opened it.
  const lost = program.getOutput().match(/^.*an idle database connection was lost.*$/gm) ?? [];
  expect(lost.filter((line) => line.includes('"id":'))).toEqual([]);
});

test('the program is not ready while a synchronous standby blocks every commit', async () => {
  const quiet = () => undefined;
  const server = await startEmbeddedPostgres({
    dataDir: await folder(),
    log: { info: quiet, warn: quiet, error: quiet },
  });
  cleanUp.push(() => server.stop());
  const { host, user, database } = server.connection;
  const DATABASE_URL = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
  const program = await startTestProgram(await folder(), { DATABASE_URL });
  const operator = openDatabase(server.connection, quiet);
  cleanUp.push(() => operator.close());
  const ready = async () => (await new TestClient(program.url).get('/api/ready')).status;

  expect(await ready()).toBe(200);
  await operator.pool.query(`alter system set synchronous_standby_names = 'absent'`);
  await operator.pool.query('select pg_reload_conf()');
  await waitFor(async () => expect(await ready()).toBe(503));
  await operator.pool.query('alter system reset synchronous_standby_names');
  await operator.pool.query('select pg_reload_conf()');
  await waitUntilProgramReady(program.url);
});

test('SIGTERM shuts down despite a stalled database; a second SIGTERM kills at once', async () => {
  const quiet = () => undefined;
  const server = await startEmbeddedPostgres({
    dataDir: await folder(),
    log: { info: quiet, warn: quiet, error: quiet },
  });
  cleanUp.push(() => server.stop());
  const proxy = await createStallingProxy(server.connection);
  cleanUp.push(() => proxy.end());
  const { user, database } = server.connection;
  const DATABASE_URL = `postgres://${user}@${proxy.host}:${proxy.port}/${database}`;
  const [first, second] = [
    await startTestProgram(await folder(), { DATABASE_URL }),
    await startTestProgram(await folder(), { DATABASE_URL }),
  ];
  proxy.stall();
  expect((await new TestClient(first.url).get('/api/ready')).status).toBe(503);
  const signIns = [first, second].map(({ url }) => signIn(new TestClient(url)).catch(() => undefined));

  const hard = (async () => {
    const ended = second.end();
    // Waits longer than a second, because a signal within a second counts as the same Ctrl-C, delivered twice.
    const again = setInterval(() => second.child.kill('SIGTERM'), 1_500);
    return ended.finally(() => clearInterval(again));
  })();
  const [soft, atOnce] = await Promise.all([first.end(), hard]);
  expect(atOnce.code).toBe(1);
  expect(second.getOutput()).toContain('second signal received');
  expect(soft.code, first.getOutput()).toBe(0);
  await Promise.all(signIns);
});
