import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/postgres/start.ts';
import { TestClient } from '#testing/client.ts';
import { runScript } from '#testing/run-script.ts';
import { runStatement } from '#testing/postgres.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { startProgram, type RunningProgram } from '#testing/program.ts';
import { createTone } from '#testing/tone.ts';

// An external database server, shared by all tests that need one. Each test has its own database.
let server: EmbeddedPostgres;
beforeAll(async () => {
  const quiet = () => undefined;
  const dataDir = await mkdtemp(join(tmpdir(), 'yangchen-server-'));
  server = await startEmbeddedPostgres({ dataDir, log: { info: quiet, warn: quiet, error: quiet } });
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
});

const { cleanUp, folder } = createTestCleanup();

async function newDatabase() {
  const name = `community_${Math.random().toString(36).slice(2)}`;
  await runStatement(server.connection, `create database ${name}`);
  const { host, port, user } = server.connection;
  return {
    name,
    url: `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
    tables: () => tablesOf(name),
    run: (statement: string) => runStatement({ ...server.connection, database: name }, statement),
  };
}

async function tablesOf(database: string) {
  const opened = openDatabase({ ...server.connection, database }, () => undefined);
  try {
    const found = await opened.pool.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema in ('public', 'drizzle')`,
    );
    return found.rows.map(({ name }) => name);
  } finally {
    await opened.close();
  }
}

async function startTestProgram(
  dataDir: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<RunningProgram> {
  const program = await startProgram({
    dataDir,
    environment: { ADMIN_PASSWORD: 'teacher-pass', ...environment },
  });
  cleanUp.push(async () => {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end('SIGKILL');
  });
  return program;
}

const getStartError = (dataDir: string, environment: NodeJS.ProcessEnv = {}) =>
  startProgram({ dataDir, environment }).then(
    async (program) => {
      await program.end();
      throw new Error('It started');
    },
    (error: Error) => error.message,
  );

/** Creates a community with a teacher, a melody and a student who has recorded it. */
async function withRecording(program: RunningProgram, howMany = 1) {
  const teacher = await teacherAt(program);
  const level = await teacher.post('/api/init').then(() => teacher.get('/api/admin/transmission-levels'));
  const made = await teacher.post('/api/admin/create-user-with-credentials', {
    email: 'tashi@example.org',
    firstName: 'Tashi',
    lastName: 'Dolma',
    transmissionLevels: [(level.body as { id: number }[])[0]!.id],
  });
  const student = new TestClient(program.url);
  await student.post('/api/login', { username: 'tashi', password: made.body.password });
  const names: string[] = [];
  for (let i = 0; i < howMany; i += 1) names.push((await submitRecording(student)).body.audioUrl as string);
  return { teacher, student, names, name: names[0]! };
}

const submitRecording = (student: TestClient) =>
  student.form('/api/recordings', { title: 'Kyab', audio: { bytes: createTone(1), name: 'kyab.wav' } });

async function teacherAt(program: RunningProgram) {
  const teacher = new TestClient(program.url);
  await teacher.post('/api/login', { username: 'khandro', password: 'teacher-pass' });
  return teacher;
}

const fetchSound = async (program: RunningProgram, name: string) => {
  const { status, bytes } = await (await teacherAt(program)).get(`/api/files/${name}?type=audio`);
  return [status, bytes.equals(createTone(1))];
};

const listFiles = async (path: string) => (await readdir(path, { recursive: true })).sort();

test('refuses to start if DATABASE_URL is missing or points to an empty database', async () => {
  const dataDir = await folder();
  const database = await newDatabase();
  const first = await startTestProgram(dataDir, { DATABASE_URL: database.url });
  const { name } = await withRecording(first);
  await first.end();
  const before = await listFiles(dataDir);

  expect(await getStartError(dataDir)).toMatch(/^Could not start: .*DATABASE_URL.*\n$/);
  expect((await listFiles(dataDir)).filter((file) => file !== 'lock')).toEqual(before);

  const empty = await newDatabase();
  expect(await getStartError(dataDir, { DATABASE_URL: empty.url })).toMatch(
    /^Could not start: The files in .* belong to a different database.*DATABASE_URL.*\n$/,
  );
  expect(await runScript('verify', ['--mend'], { DATA_DIR: dataDir, DATABASE_URL: empty.url })).toEqual({
    code: 2,
    said: expect.stringMatching(/^The files in .* belong to a different database/),
  });
  expect((await listFiles(dataDir)).filter((file) => file !== 'lock')).toEqual(before);
  expect(await empty.tables()).toEqual([]);

  const again = await startTestProgram(dataDir, { DATABASE_URL: database.url });
  expect(await fetchSound(again, name)).toEqual([200, true]);
});

test('refuses to start if postgres/ is missing, and starts once it is restored', async () => {
  const dataDir = await folder();
  const first = await startTestProgram(dataDir);
  const { name } = await withRecording(first);
  await first.end();
  await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres.old'));
  const before = await listFiles(join(dataDir, 'media'));

  expect(await getStartError(dataDir)).toMatch(/^Could not start: There is no database in .*postgres/);
  expect(await readdir(dataDir)).not.toContain('postgres');
  expect(await listFiles(join(dataDir, 'media'))).toEqual(before);

  await rename(join(dataDir, 'postgres.old'), join(dataDir, 'postgres'));
  expect(await fetchSound(await startTestProgram(dataDir), name)).toEqual([200, true]);
});

test('refuses to start if the folder contains another community’s database', async () => {
  const [ours, theirs] = [await folder(), await folder()];
  for (const dataDir of [ours, theirs]) {
    const program = await startTestProgram(dataDir);
    await withRecording(program);
    await program.end();
  }
  await rename(join(ours, 'postgres'), join(ours, 'postgres.ours'));
  await cp(join(theirs, 'postgres'), join(ours, 'postgres'), { recursive: true, preserveTimestamps: true });
  expect(await getStartError(ours)).toMatch(/^Could not start: .*different installations/);
});

test('refuses to start without the media disk, and creates no folder in its place', async () => {
  const dataDir = await folder();
  const first = await startTestProgram(dataDir);
  const { name } = await withRecording(first);
  await first.end();
  await rename(join(dataDir, 'media'), join(dataDir, 'unmounted'));
  expect(await getStartError(dataDir)).toMatch(/^Could not start: .*has none of the 1 file.*mount/i);
  expect(await readdir(dataDir)).not.toContain('media');

  // Creates an empty folder, as if the mount point existed but the disk were missing.
  await mkdir(join(dataDir, 'media'));
  expect(await getStartError(dataDir)).toMatch(/has none of the 1 file/);
  expect(await readdir(join(dataDir, 'media'))).toEqual([]);

  await rm(join(dataDir, 'media'), { recursive: true });
  await rename(join(dataDir, 'unmounted'), join(dataDir, 'media'));
  expect(await fetchSound(await startTestProgram(dataDir), name)).toEqual([200, true]);
});

test('an installation without an id gets an id if its files match its database', async () => {
  const dataDir = await folder();
  const database = await newDatabase();
  const first = await startTestProgram(dataDir, { DATABASE_URL: database.url });
  const { name } = await withRecording(first, 3);
  await first.end();
  await rm(join(dataDir, 'media', 'installation'));
  await database.run('delete from installation');

  const again = await startTestProgram(dataDir, { DATABASE_URL: database.url });
  expect(await fetchSound(again, name)).toEqual([200, true]);
  expect(await readdir(join(dataDir, 'media'))).toContain('installation');
  await again.end();
  const empty = await newDatabase();
  expect(await getStartError(dataDir, { DATABASE_URL: empty.url })).toMatch(/belong to a different database/);
});

test('an installation that is copied with its database starts in any folder', async () => {
  const dataDir = await folder();
  const first = await startTestProgram(dataDir);
  const { name } = await withRecording(first);
  await first.end();
  const restored = await folder();
  await cp(dataDir, restored, { recursive: true, preserveTimestamps: true });
  expect(await fetchSound(await startTestProgram(restored), name)).toEqual([200, true]);
});

test('adopt-media accepts the loss of the media, and each lost file is reported', async () => {
  const dataDir = await folder();
  const environment = { DATABASE_URL: (await newDatabase()).url };
  const first = await startTestProgram(dataDir, environment);
  const { name } = await withRecording(first);
  await first.end();
  await rm(join(dataDir, 'media'), { recursive: true });
  expect(await getStartError(dataDir, environment)).toMatch(/has none of the 1 file/);

  const output = execFileSync(process.execPath, ['dist/web/.server/main.admin.js', 'adopt-media'], {
    env: { ...process.env, DATA_DIR: dataDir, ...environment },
    encoding: 'utf8',
  });
  expect(output).toMatch(/now belong to this database\.\n$/);
  const again = await startTestProgram(dataDir, environment);
  const teacher = await teacherAt(again);
  await expect
    .poll(async () => (await teacher.get('/api/ready')).body)
    .toEqual({ status: 'ready', detail: { damagedFiles: { missing: 1, changed: 0, names: [name] } } });
});

test('rejects recordings with status 503 until a moved data folder is moved back', async () => {
  const dataDir = await folder();
  const program = await startTestProgram(dataDir);
  const { student, name } = await withRecording(program);
  await rename(dataDir, `${dataDir}.away`);
  expect((await submitRecording(student)).status).toBe(503);
  expect((await new TestClient(program.url).get('/api/ready')).status).toBe(503);
  await mkdir(dataDir);
  expect((await submitRecording(student)).status).toBe(503);
  expect(await readdir(dataDir)).toEqual([]);
  await rm(dataDir, { recursive: true });
  await rename(`${dataDir}.away`, dataDir);

  expect((await submitRecording(student)).status).toBe(201);
  expect(await fetchSound(program, name)).toEqual([200, true]);
  expect((await student.get('/api/student/recordings')).body).toHaveLength(2);
});

test('an older version refuses to start with a newer database', async () => {
  const dataDir = await folder();
  const database = await newDatabase();
  await (await startTestProgram(dataDir, { DATABASE_URL: database.url })).end();
  await database.run(
    `insert into drizzle.__drizzle_migrations (hash, created_at)
     select 'of a later version', max(created_at) + 1 from drizzle.__drizzle_migrations`,
  );
  expect(await getStartError(dataDir, { DATABASE_URL: database.url })).toMatch(
    /^Could not start: This database was last used by a newer version of Yangchen\..*\n$/,
  );
});
