import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import { getMediaFilePath } from '#server/media/layout.ts';
import { TestClient } from '#testing/client.ts';
import { copyTemplateCluster } from '#testing/cluster.ts';
import { runScript } from '#testing/run-script.ts';
import type { RawMediaStorage } from '#testing/raw-media-storage.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { runStatement } from '#testing/postgres.ts';
import { startProgram, type RunningProgram } from '#testing/program.ts';
import { createRawS3Storage, getS3TestEnvironment, getS3Settings } from '#testing/s3.ts';
import { createTone } from '#testing/tone.ts';
import { waitFor, waitUntilProgramReady } from '#testing/wait-for.ts';

// Runs the program as a process, with its media in a bucket, and with databases that may or may not belong to
// that bucket.

const { cleanUp, folder } = createTestCleanup();

let bucket: NodeJS.ProcessEnv;
let place: RawMediaStorage & { paths(): Promise<string[]> };
beforeEach(async () => {
  const prefix = randomUUID();
  bucket = getS3TestEnvironment(prefix);
  place = await createRawS3Storage(getS3Settings(prefix));
});

async function startTestProgram(
  dataDir: string,
  environment: NodeJS.ProcessEnv = bucket,
): Promise<RunningProgram> {
  const program = await startProgram({
    dataDir,
    // Disables ffmpeg, because copies would appear at any time and disturb the file counts below.
    environment: { ADMIN_PASSWORD: 'teacher-pass', LOG_LEVEL: 'info', FFMPEG_PATH: 'none', ...environment },
  });
  cleanUp.push(async () => {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end('SIGKILL');
  });
  return program;
}

const getStartError = (dataDir: string, environment: NodeJS.ProcessEnv = bucket) =>
  startProgram({ dataDir, environment }).then(
    async (program) => {
      await program.end();
      throw new Error('It started');
    },
    (error: Error) => error.message,
  );

async function teacherAt(program: RunningProgram) {
  const teacher = new TestClient(program.url);
  await teacher.post('/api/login', { username: 'khandro', password: 'teacher-pass' });
  return teacher;
}

/** Creates a student. Returns the student's password. */
async function studentAt(program: RunningProgram) {
  const teacher = await teacherAt(program);
  await teacher.post('/api/init');
  const levels = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const { password } = (
    await teacher.post('/api/admin/create-user-with-credentials', {
      email: 'tashi@example.org',
      firstName: 'Tashi',
      lastName: 'Dolma',
      transmissionLevels: [levels[0]!.id],
    })
  ).body as { password: string };
  return password;
}

async function submitRecordings(
  program: RunningProgram,
  password: string,
  howMany: number,
): Promise<string[]> {
  const student = new TestClient(program.url);
  await student.post('/api/login', { username: 'tashi', password });
  const names: string[] = [];
  for (let i = 0; i < howMany; i += 1) {
    const { status, body } = await student.form('/api/recordings', {
      title: 'Kyab',
      audio: { bytes: createTone(1), name: 'kyab.wav' },
    });
    expect(status).toBe(201);
    names.push(body.audioUrl as string);
  }
  return names;
}

async function fetchSounds(program: RunningProgram, names: string[]) {
  const teacher = await teacherAt(program);
  const replies = await Promise.all(names.map((name) => teacher.get(`/api/files/${name}?type=audio`)));
  return replies.map(({ status, bytes }) => status === 200 && bytes.equals(createTone(1)));
}

/**
 * Waits until the files are old enough: the sweep at startup spares files in a bucket unless they are at
 * least two seconds older than the start.
 */
async function waitUntilFilesAreOld() {
  const now = Date.now();
  await waitFor(() => expect(Date.now()).toBeGreaterThan(now + 3_000));
}

test('stores media only in the bucket, where they survive a restart and a kill', async () => {
  const dataDir = await folder();
  const first = await startTestProgram(dataDir);
  const names = await submitRecordings(first, await studentAt(first), 2);
  expect(await readdir(dataDir)).not.toContain('media');
  expect(await place.paths()).toEqual(
    expect.arrayContaining(['installation', ...names.map(getMediaFilePath)]),
  );
  await waitUntilProgramReady(first.url);
  await first.end('SIGKILL');
  const again = await startTestProgram(dataDir);
  expect(await fetchSounds(again, names)).toEqual(names.map(() => true));
  expect(await again.end()).toEqual({ code: 0, signal: null });
});

test('refuses to start with an empty or foreign database, and changes nothing', async () => {
  const [ours, theirs] = [await folder(), await folder()];
  const first = await startTestProgram(ours);
  const names = await submitRecordings(first, await studentAt(first), 12);
  await first.end();
  const before = await place.paths();

  expect(await getStartError(await folder())).toMatch(
    /^Could not start: The files in the bucket .* belong to a different/,
  );
  const fresh = await folder();
  await copyTemplateCluster(fresh);
  expect(await repairMedia(fresh)).toEqual({
    code: 2,
    said: expect.stringMatching(/^The files in the bucket .* belong to a different/),
  });
  const without = await folder();
  await mkdir(join(without, 'outbox'));
  expect(await getStartError(without)).toMatch(
    /^Could not start: There is no database in .*, but there are files in the bucket .*S3_BUCKET and S3_PREFIX/,
  );
  const other = await startTestProgram(theirs, getS3TestEnvironment(randomUUID()));
  await submitRecordings(other, await studentAt(other), 1);
  await other.end();
  expect(await getStartError(theirs)).toMatch(
    /^Could not start: The database and the files in the bucket .* belong to different installations/,
  );
  expect(await repairMedia(theirs)).toMatchObject({
    code: 2,
    said: expect.stringContaining('belong to different installations'),
  });
  // The program refuses to start even if the id is missing, because the file names show that the files belong
  // to another installation.
  await place.remove('installation');
  expect(await getStartError(theirs)).toMatch(
    /^Could not start: The files in the bucket .* belong to a different/,
  );
  expect((await repairMedia(theirs)).code).toBe(2);
  expect(await place.paths()).toEqual(before.filter((path) => path !== 'installation'));

  // Our own database is also refused if its files are not in the configured bucket or folder.
  expect(await getStartError(ours, getS3TestEnvironment(randomUUID()))).toMatch(
    /has none of the 12 files listed in the database\. Put them back, or set S3_BUCKET and S3_PREFIX/,
  );
  expect(await getStartError(ours, {})).toMatch(/media has none of the 12 files/);
  expect(await fetchSounds(await startTestProgram(ours), names)).toEqual(names.map(() => true));
});

test('starting with an older database loses no files of the newer database', async () => {
  const dataDir = await folder();
  const copy = (from: string, to: string) =>
    cp(join(dataDir, from), join(dataDir, to), { recursive: true, preserveTimestamps: true });
  const use = async (name: string) => {
    await rm(join(dataDir, 'postgres'), { recursive: true });
    await copy(name, 'postgres');
    return startTestProgram(dataDir);
  };
  const first = await startTestProgram(dataDir);
  const password = await studentAt(first);
  const names = await submitRecordings(first, password, 2);
  await first.end();
  await copy('postgres', 'older');
  const second = await startTestProgram(dataDir);
  names.push(...(await submitRecordings(second, password, 3)));
  await second.end();
  await copy('postgres', 'newer');
  await waitUntilFilesAreOld();

  const older = await use('older');
  await waitFor(async () => expect((await setAside()).sort()).toEqual(names.slice(2).sort()));
  expect(await fetchSounds(older, names.slice(0, 2))).toEqual([true, true]);
  await older.end();
  const newer = await use('newer');
  expect(await fetchSounds(newer, names)).toEqual(names.map(() => true));

  names.push(...(await submitRecordings(newer, password, 11)));
  await newer.end();
  await copy('postgres', 'newest');
  await waitUntilFilesAreOld();
  const muchOlder = await use('older');
  await waitFor(() => expect(muchOlder.getOutput()).toContain('no files were moved'));
  await muchOlder.end();
  const { code, said } = await repairMedia(dataDir);
  expect([code, said.split('\n').filter((line) => line.startsWith('unlisted'))]).toEqual([
    1,
    expect.objectContaining({ length: 11 }),
  ]);
  expect(said).toContain('14 files are not listed in the database, which is too many');
  expect((await place.paths()).filter((path) => names.includes(basename(path)))).toHaveLength(16 + 3);
  expect(await fetchSounds(await use('newest'), names)).toEqual(names.map(() => true));
});

test('two processes with an empty, older or foreign database lose no files in a bucket', async () => {
  const dataDirs = await Promise.all([folder(), folder()]);
  const [community, empty, foreign] = [await newDatabase(), await newDatabase(), await newDatabase()];
  const both = (DATABASE_URL: string) =>
    Promise.all(dataDirs.map((dataDir) => startTestProgram(dataDir, { ...bucket, DATABASE_URL })));
  const bothRefused = (DATABASE_URL: string) =>
    Promise.all(dataDirs.map((dataDir) => getStartError(dataDir, { ...bucket, DATABASE_URL })));
  const end = (programs: RunningProgram[]) => Promise.all(programs.map((program) => program.end()));

  const first = await both(community);
  const password = await studentAt(first[0]!);
  const names = await submitRecordings(first[0]!, password, 2);
  await end(first);
  const older = await newDatabase(community);
  const second = await both(community);
  names.push(...(await submitRecordings(second[1]!, password, 3)));
  await end(second);
  const theirs = await startTestProgram(await folder(), {
    ...getS3TestEnvironment(randomUUID()),
    DATABASE_URL: foreign,
  });
  await submitRecordings(theirs, await studentAt(theirs), 1);
  await theirs.end();
  const before = await place.paths();

  for (const refused of await bothRefused(empty)) expect(refused).toMatch(/belong to a different database/);
  for (const refused of await bothRefused(foreign)) expect(refused).toMatch(/different installations/);
  expect(await place.paths()).toEqual(before);

  const again = await both(older);
  expect(await fetchSounds(again[1]!, names.slice(0, 2))).toEqual([true, true]);
  await end(again);
  const [one, other] = await both(community);
  expect(await fetchSounds(one!, names)).toEqual(names.map(() => true));
  expect(await fetchSounds(other!, names)).toEqual(names.map(() => true));
  expect(await repairMedia(dataDirs[0], { DATABASE_URL: community })).toMatchObject({
    code: 0,
    said: expect.stringContaining('No problems found: 5 files'),
  });
});

/** Creates an empty database on an external server, or a copy of another database. Returns its URL. */
async function newDatabase(copyOf?: string): Promise<string> {
  const server = inject('postgres');
  const name = `community_${randomUUID().replaceAll('-', '')}`;
  const template = copyOf && new URL(copyOf).pathname.slice(1);
  await runStatement(server, `create database ${name}${template ? ` template ${template}` : ''}`);
  return `postgres://${server.user}@localhost:${server.port}/${name}?host=${encodeURIComponent(server.host)}`;
}

/** Runs `verify --mend`. Returns its output and exit code. */
const repairMedia = (dataDir: string, more: NodeJS.ProcessEnv = {}) =>
  runScript('verify', ['--mend'], { DATA_DIR: dataDir, ...bucket, ...more });

const setAside = async () =>
  (await place.paths()).filter((path) => /^set-aside\/[^/]+\/./.test(path)).map((path) => basename(path));

test('startup fails with one sentence that does not contain the wrong S3 secret', async () => {
  const dataDir = await folder();
  const said = await getStartError(dataDir, {
    ...bucket,
    S3_SECRET_ACCESS_KEY: 'the-wrong-word',
    LOG_LEVEL: 'fatal',
  });
  expect(said).toMatch(
    /^Could not start: Media are to be in the bucket \S+ under \S+ at \S+, but the S3 store refuses the signature; check S3_SECRET_ACCESS_KEY\.\n$/,
  );
  expect(said).not.toContain('the-wrong-word');
});

test('the command adopt-media accepts the loss of a whole bucket', async () => {
  const dataDir = await folder();
  const first = await startTestProgram(dataDir);
  await submitRecordings(first, await studentAt(first), 1);
  await first.end();
  const empty = getS3TestEnvironment(randomUUID());
  expect(await getStartError(dataDir, empty)).toMatch(/has none of the 1 file/);
  const output = execFileSync(process.execPath, ['dist/web/.server/main.admin.js', 'adopt-media'], {
    env: { ...process.env, DATA_DIR: dataDir, ...empty },
    encoding: 'utf8',
  });
  expect(output).toMatch(/^The files in the bucket .* now belong to this database\.\n$/);
  await startTestProgram(dataDir, empty);
});
