import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, expect, test } from 'vitest';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { startEmbeddedPostgres } from '#server/postgres/start.ts';
import { TestClient } from '#testing/client.ts';
import {
  NOBODY_UID,
  preparePostgresForSystemUsers,
  prepareProgramForSystemUsers,
} from '#testing/for-system-users.ts';
import {
  createDataFolder,
  findProcessIdsByFolder,
  startProgram,
  type RunningProgram,
} from '#testing/program.ts';
import { createTone } from '#testing/tone.ts';
import { waitFor, waitUntilProgramReady } from '#testing/wait-for.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function folder(uid?: number) {
  const { dataDir, remove } = await createDataFolder(uid);
  cleanUp.push(remove);
  return dataDir;
}

async function startTestProgram(options: Parameters<typeof startProgram>[0]): Promise<RunningProgram> {
  const program = await startProgram(options);
  cleanUp.push(async () => {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end('SIGKILL');
  });
  return program;
}

const isRoot = process.getuid?.() === 0;

/** A copy of the program that the system user `nobody` can execute, unlike a checkout in root's home. */
const reachable = isRoot ? await prepareProgramForSystemUsers() : null;
afterAll(() => reachable?.remove());

const startedAsNobody = (dataDir: string) =>
  startTestProgram({ dataDir, uid: NOBODY_UID, from: reachable!, environment: { HOME: dataDir } });

async function programsForOthers(): Promise<NodeJS.ProcessEnv> {
  const { binDir, remove } = await preparePostgresForSystemUsers();
  cleanUp.push(remove);
  return binDir ? { PG_BIN_DIR: binDir } : {};
}

const printedPassword = (said: string) => /password {2}(\S+)/.exec(said)?.[1];
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const postgres15 = systemPostgres();
const olderNode = systemNode();

test('npm start prints the teacher’s password once and exits cleanly on a signal', async () => {
  const dataDir = await folder();
  const first = await startTestProgram({ dataDir, by: 'npm', environment: { LOG_LEVEL: 'info' } });
  const password = printedPassword(first.getOutput());
  expect(/^\{.*\}$/m.exec(first.getOutput())?.[0]).toContain(
    `"database":"embedded in ${dataDir}/postgres","media":"${dataDir}/media","backups":null,"msg":"starting"`,
  );
  const browser = new TestClient(first.url);
  expect((await browser.post('/api/login', { username: 'khandro', password })).status).toBe(200);
  expect((await browser.get('/')).body).toContain('<div id="root">');
  expect(await findProcessIdsByFolder(dataDir)).not.toEqual([]);
  expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(first.getOutput()).not.toContain('administrator command');
  expect(await findProcessIdsByFolder(dataDir)).toEqual([]);

  // Starts npm in a process group of its own, because a terminal sends Ctrl-C to the whole group.
  const later = await startTestProgram({ dataDir, by: 'npm', ownGroup: true });
  expect(printedPassword(later.getOutput())).toBeUndefined();
  // Checks that the session is still valid after the restart.
  const again = new TestClient(later.url);
  again.cookies.set('session', browser.cookies.get('session')!);
  expect((await again.get('/api/user')).body).toMatchObject({ username: 'khandro', role: 'admin' });
  expect((await later.end('SIGINT')).code).toBe(0);
  expect(await findProcessIdsByFolder(dataDir)).toEqual([]);
});

test('the program notifies systemd once it accepts connections', async () => {
  const bin = await folder();
  const dataDir = await folder();
  const script = `#!/bin/sh\necho "$NOTIFY_SOCKET $1" >> ${bin}/messages\n`;
  await writeFile(join(bin, 'systemd-notify'), script, { mode: 0o755 });
  const PATH = `${bin}${delimiter}${process.env.PATH}`;
  const program = await startTestProgram({ dataDir, environment: { PATH, NOTIFY_SOCKET: '/run/notify' } });
  await waitFor(() => expect(readFileSync(join(bin, 'messages'), 'utf8')).toBe('/run/notify READY=1\n'));
  await program.end('SIGTERM');
});

test('starts on a copy of the data folder without disturbing the running original', async () => {
  const environment = { ADMIN_PASSWORD: 'teacher-pass' };
  const dataDir = await folder();
  const first = await startTestProgram({ dataDir, environment });
  const { teacher, student } = await makeStudent(first.url);
  const connection = await findRunningConnectionSettings(dataDir);
  const database = new pg.Client(connection!);
  await database.connect();
  await database.query('CHECKPOINT');
  await database.end();
  const copy = join(await folder(), 'copy');
  execFileSync('cp', ['-a', dataDir, copy]);

  const second = await startTestProgram({ dataDir: copy, environment });
  const sent = await student.form('/api/recordings', {
    title: 'Sung meanwhile',
    audio: { bytes: createTone(1), name: 'a.wav' },
  });
  expect(sent.status).toBe(201);
  const elsewhere = new TestClient(second.url);
  await elsewhere.post('/api/login', { username: 'khandro', password: 'teacher-pass' });
  const titles = async (client: TestClient) =>
    ((await client.get('/api/admin/pending-recordings')).body as { title: string }[]).map(
      ({ title }) => title,
    );
  expect(await titles(teacher)).toEqual(['Sung meanwhile']);
  expect(await titles(elsewhere)).toEqual([]);
  expect((await second.end()).code).toBe(0);
  // New connections still work, because the socket has not moved.
  const third = new pg.Client(connection!);
  await third.connect();
  await third.end();
  expect((await first.end()).code).toBe(0);
});

test.skipIf(!olderNode)('refuses to start with an older Node and prints one sentence', async () => {
  const dataDir = await folder();
  const attempt = startProgram({ dataDir, from: { root: process.cwd(), node: olderNode! } });
  await expect(attempt).rejects.toThrow(/^Yangchen needs Node 24, and this is Node [\d.]+\. .*\n$/);
  expect(await findProcessIdsByFolder(dataDir)).toEqual([]);
});

test('startup fails with one line if a setting is invalid', async () => {
  const dataDir = await folder();
  const attempt = startProgram({ dataDir, environment: { TRUST_PROXY: 'yes' } });
  await expect(attempt).rejects.toThrow(
    /^TRUST_PROXY: must be the number of proxies in front of the server, from 0 to 20\n$/,
  );
});

test('startup fails with one line if BACKUP_DIR can’t be written to', async () => {
  const dataDir = await folder();
  const attempt = startProgram({ dataDir, environment: { BACKUP_DIR: join(dataDir, 'nowhere') } });
  await expect(attempt).rejects.toThrow(/^Could not start: BACKUP_DIR: \S+ does not exist\. .*\n$/);
});

test('a second start with the same data folder or port exits with an explanation', async () => {
  const usedFolder = await folder();
  const first = await startTestProgram({ dataDir: usedFolder });
  await expect(startProgram({ dataDir: usedFolder })).rejects.toThrow(
    /This data folder is in use by another Yangchen/,
  );

  const dataDir = await folder();
  const { port } = new URL(first.url);
  await expect(startProgram({ dataDir, environment: { PORT: port } })).rejects.toThrow(
    `Could not start: Port ${port} of 127.0.0.1 is already in use, by another Yangchen or another program. Stop that one, or set PORT to another number.\n` +
      `What went wrong: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
  );
  expect(await findProcessIdsByFolder(dataDir)).toEqual([]);
  await waitUntilProgramReady(first.url);
});

test('the error for an unusable database explains what to check and what went wrong', async () => {
  const dataDir = await folder();
  const server = await startEmbeddedPostgres({ dataDir: await folder(), log: silent });
  cleanUp.push(() => server.stop());
  const { host, port } = server.connection;
  const at = (who: string, name: string) =>
    `postgres://${who}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
  const cases = [
    [
      'postgres://pema:secret-word@127.0.0.1:9/songs',
      "The database server at 127.0.0.1:9 can't be reached. Check host and port in DATABASE_URL, and that the server runs and listens there.",
      'connect ECONNREFUSED 127.0.0.1:9',
    ],
    [
      at('yangchen', 'songs'),
      `The database server at ${host} has no database songs. Create it, or change DATABASE_URL.`,
      'database "songs" does not exist',
    ],
    [
      at('pema:secret-word', 'yangchen'),
      `The database server at ${host} refused the user pema. Check the user and password in DATABASE_URL, and which users the server accepts from this machine.`,
      'role "pema" does not exist',
    ],
  ] as const;
  for (const [DATABASE_URL, sentence, cause] of cases) {
    const attempt = startProgram({ dataDir, environment: { DATABASE_URL } });
    await expect(attempt).rejects.toThrow(`Could not start: ${sentence}\nWhat went wrong: ${cause}\n`);
    await expect(attempt).rejects.not.toThrow('secret-word');
  }
  const demo = startProgram({
    dataDir,
    main: 'dist/web/.server/main.demo.js',
    environment: { DATABASE_URL: cases[0][0] },
  });
  await expect(demo).rejects.toThrow(`Could not start: ${cases[0][1]}\nWhat went wrong: ${cases[0][2]}\n`);
});

const S3 = {
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_BUCKET: 'songs',
  S3_ACCESS_KEY_ID: 'pema',
  S3_SECRET_ACCESS_KEY: 'secret-word',
};

test('reports an unreachable S3 store and what to check', async () => {
  const attempt = startProgram({ dataDir: await folder(), environment: { ...S3, LOG_LEVEL: 'fatal' } });
  await expect(attempt).rejects.toThrow(
    'Could not start: Media are to be in the bucket songs at http://127.0.0.1:9, but the S3 store can’t be reached (connect ECONNREFUSED 127.0.0.1:9); check S3_ENDPOINT, and that it runs.\n',
  );
});

test('loads the S3 library only if the media are in an S3 store', async () => {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { console.error('loaded', url); return next(url, context); } });`;
  const NODE_OPTIONS = `--import=data:text/javascript;base64,${Buffer.from(hook).toString('base64')}`;
  const build = 'dist/web/.server';
  const ofSdk = (await readdir(build)).filter((name) =>
    /node_modules\/@(smithy|aws-sdk)\//.test(readFileSync(join(build, name), 'utf8')),
  );
  const loaded = (said: string) => ofSdk.filter((name) => said.includes(`${build}/${name}\n`));

  const onDisk = await startTestProgram({ dataDir: await folder(), environment: { NODE_OPTIONS } });
  expect(loaded(onDisk.getOutput())).toEqual([]);
  expect(onDisk.getOutput()).toContain(`${build}/main.server.js\n`);
  const inS3 = startProgram({ dataDir: await folder(), environment: { ...S3, NODE_OPTIONS } });
  const said = await inS3.then(String, (error: Error) => error.message);
  expect(loaded(said)).not.toEqual([]);
});

test('the error names PG_BIN_DIR if that folder has no PostgreSQL programs', async () => {
  const attempt = startProgram({ dataDir: await folder(), environment: { PG_BIN_DIR: '/nowhere' } });
  await expect(attempt).rejects.toThrow(
    "Could not start: PG_BIN_DIR is a folder without PostgreSQL's programs initdb and postgres: /nowhere\nWhat went wrong: ENOENT",
  );
});

test('startup sweeps files left by a kill -9 during an upload and keeps stored files', async () => {
  const dataDir = await folder();
  const environment = { ADMIN_PASSWORD: 'teacher-pass' };
  const first = await startTestProgram({ dataDir, environment });
  const { student } = await makeStudent(first.url);
  const kept = await student.form('/api/recordings', {
    title: 'Kept',
    audio: { bytes: createTone(1), name: 'a.wav' },
  });
  expect(kept.status).toBe(201);
  // Imitates a crash: leaves a stored file without a row, and a partial upload.
  await mkdir(join(dataDir, 'media', 'ab'), { recursive: true });
  await writeFile(join(dataDir, 'media', 'ab', 'abandoned.wav'), createTone(1));
  await writeFile(join(dataDir, 'staging', 'half'), 'RIFF');
  await first.end('SIGKILL');

  const second = await startTestProgram({ dataDir, environment });
  await expect.poll(() => readdir(join(dataDir, 'staging'))).toEqual([]);
  await expect.poll(() => readdir(join(dataDir, 'media', 'ab'))).not.toContain('abandoned.wav');
  const browser = new TestClient(second.url);
  for (const [name, value] of student.cookies) browser.cookies.set(name, value);
  const file = await browser.get(`/api/files/${kept.body.audioUrl}?type=audio`);
  expect(file.bytes.equals(createTone(1))).toBe(true);
});

test.skipIf(!isRoot)('runs as a system user other than root', async () => {
  const program = await startedAsNobody(await folder(NOBODY_UID));
  await waitUntilProgramReady(program.url);
  expect((await program.end()).code).toBe(0);
});

test.skipIf(!isRoot)(
  'refuses to run as root in somebody else’s folder, and leaves nothing there',
  async () => {
    const dataDir = await folder(NOBODY_UID);
    const sentence = `This data folder belongs to nobody (uid 65534), who couldn’t open files written by root: ${dataDir}.`;
    await expect(startProgram({ dataDir })).rejects.toThrow(sentence);
    expect(await readdir(dataDir)).toEqual([]);

    await (await startedAsNobody(dataDir)).end();
    const before = await readdir(dataDir, { recursive: true });
    await expect(startProgram({ dataDir })).rejects.toThrow(sentence);
    expect(await readdir(dataDir, { recursive: true })).toEqual(before);
    expect(execFileSync('find', [dataDir, '!', '-user', 'nobody'], { encoding: 'utf8' })).toBe('');
  },
);

test.skipIf(!isRoot)('root can use its folder even if another system user owns the database', async () => {
  const dataDir = await folder(NOBODY_UID);
  await (await startedAsNobody(dataDir)).end();
  for (const name of ['.', 'lock', 'postgres.log', 'socket']) await chown(join(dataDir, name), 0, 0);
  const program = await startTestProgram({ dataDir, environment: await programsForOthers() });
  await waitUntilProgramReady(program.url);
  expect((await program.end()).code).toBe(0);
});

test.skipIf(!isRoot)('startup fails and names the path if root owns part of the data folder', async () => {
  const dataDir = await folder(NOBODY_UID);
  await (await startedAsNobody(dataDir)).end();
  const media = join(dataDir, 'media', 'ab');
  await mkdir(media, { recursive: true, mode: 0o700 });
  await writeFile(join(media, 'song.wav'), createTone(1), { mode: 0o600 });
  // Root owns all of media/, then only a subfolder with a file, then only the file. Each is reported.
  await chown(join(dataDir, 'media'), 0, 0);
  for (const closed of [join(dataDir, 'media'), media, join(media, 'song.wav')]) {
    await expect(startedAsNobody(dataDir)).rejects.toThrow(
      `${closed} belongs to root (uid 0), and nobody (uid 65534) can't use it. Start Yangchen as the owner of the data ` +
        `folder, or give the whole folder to nobody (uid 65534), as root: chown -R nobody ${dataDir}`,
    );
    await chown(closed, NOBODY_UID, NOBODY_UID);
  }
  await startedAsNobody(dataDir);
});

test.skipIf(!postgres15)(
  'two processes started together share PostgreSQL, notifications and limits',
  async () => {
    const serverDir = await folder();
    const server = await startEmbeddedPostgres({
      dataDir: serverDir,
      binDir: postgres15 ?? undefined,
      log: silent,
    });
    cleanUp.push(() => server.stop());
    const { host, port, user, database } = server.connection;
    const DATABASE_URL = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
    const dataDir = await folder();
    const [one, two] = await Promise.all(
      [1, 2].map(() =>
        startTestProgram({ dataDir, environment: { DATABASE_URL, ADMIN_PASSWORD: 'teacher-pass' } }),
      ),
    );
    const { teacher, student } = await makeStudent(one!.url);
    const elsewhere = new TestClient(two!.url);
    for (const [name, value] of student.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.get('/api/user')).status).toBe(200);

    // An event in one process is pushed to a page that is connected to the other process.
    const page = await elsewhere.stream('/api/events');
    const sent = await student.form('/api/recordings', {
      title: 'Kyab',
      audio: { bytes: createTone(1), name: 'kyab.wav' },
    });
    await teacher.form('/api/feedback', { recordingId: sent.body.id as number, writtenFeedback: 'Good.' });
    await waitFor(() => expect(JSON.stringify(page.events)).toContain('"/api/feedback"'));
    await page.close();

    // A client that guesses passwords is locked out of both processes, even after one of them restarts.
    const guess = (url: string, password: string) =>
      new TestClient(url).post('/api/login', { username: 'tashi', password });
    for (let i = 0; i < 10; i += 1) expect((await guess([one, two][i % 2]!.url, 'guess')).status).toBe(401);
    expect((await guess(two!.url, 'guess')).status).toBe(429);
    expect((await one!.end()).code).toBe(0);
    const again = await startTestProgram({ dataDir, environment: { DATABASE_URL } });
    expect((await guess(again.url, 'guess')).status).toBe(429);
    expect((await again.end()).code).toBe(0);
    expect((await two!.end()).code).toBe(0);
  },
);

async function makeStudent(url: string) {
  const teacher = new TestClient(url);
  await teacher.post('/api/login', { username: 'khandro', password: 'teacher-pass' });
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const made = await teacher.post('/api/admin/create-user-with-credentials', {
    email: 'tashi@example.org',
    firstName: 'Tashi',
    lastName: 'Dolma',
    transmissionLevels: [level!.id],
  });
  const student = new TestClient(url);
  await student.post('/api/login', { username: 'tashi', password: made.body.password });
  return { teacher, student };
}

/**
 * Returns the path of an older Node on this machine that somebody might start the program with, if there is
 * one.
 */
function systemNode(): string | null {
  const paths = (process.env.PATH ?? '').split(delimiter).map((path) => join(path, 'node'));
  const major = (path: string) =>
    Number.parseInt(execFileSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }), 10);
  return paths.find((path) => existsSync(path) && major(path) < 24) ?? null;
}

function systemPostgres(): string | null {
  try {
    const initdb = execFileSync('sh', ['-c', 'readlink -f "$(command -v initdb)"'], {
      encoding: 'utf8',
    }).trim();
    return initdb === '' ? null : dirname(initdb);
  } catch {
    return null;
  }
}
