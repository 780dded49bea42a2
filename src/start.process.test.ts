import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from './platform/server/embedded-postgres/start.ts';
import { Client } from './testing/client.ts';
import { newDataFolder, processesNaming, startProgram, type Program } from './testing/program.ts';
import { tone } from './testing/tone.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function folder(uid?: number) {
  const { dataDir, remove } = await newDataFolder(uid);
  cleanUp.push(remove);
  return dataDir;
}

async function started(options: Parameters<typeof startProgram>[0]): Promise<Program> {
  const program = await startProgram(options);
  cleanUp.push(async () => {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end('SIGKILL');
  });
  return program;
}

const printedPassword = (said: string) => /password {2}(\S+)/.exec(said)?.[1];
const isRoot = process.getuid?.() === 0;
const postgres15 = systemPostgres();

test('npm start prints the address and, once, how the teacher signs in; SIGTERM to npm ends all of it', async () => {
  const dataDir = await folder();
  const first = await started({ dataDir, by: 'npm' });
  const password = printedPassword(first.said());
  const browser = new Client(first.url);
  expect((await browser.post('/api/login', { username: 'khandro', password })).status).toBe(200);
  expect((await browser.get('/')).body).toContain('<div id="root">');
  expect(await processesNaming(dataDir)).not.toEqual([]);
  expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(first.said()).not.toContain('administrator command');
  expect(await processesNaming(dataDir)).toEqual([]);

  const later = await started({ dataDir, by: 'npm' });
  expect(printedPassword(later.said())).toBeUndefined();
  // The session outlived the restart.
  const again = new Client(later.url);
  again.cookies.set('session', browser.cookies.get('session')!);
  expect((await again.get('/api/user')).body).toMatchObject({ username: 'khandro', role: 'admin' });
  await later.end('SIGTERM');
});

test('Ctrl-C reaches the whole group of npm start, and everything ends well', async () => {
  const dataDir = await folder();
  const program = await started({ dataDir, by: 'npm', ownGroup: true });
  expect((await program.end('SIGINT')).code).toBe(0);
  expect(await processesNaming(dataDir)).toEqual([]);
});

test('a second start on the same data folder says so and ends, and the first is not disturbed', async () => {
  const dataDir = await folder();
  const first = await started({ dataDir });
  await expect(startProgram({ dataDir })).rejects.toThrow(/This data folder is in use by another Yangchen/);
  expect((await new Client(first.url).get('/api/ready')).status).toBe(200);
});

test('a setting that is wrong stops the start with one line', async () => {
  const dataDir = await folder();
  const attempt = startProgram({ dataDir, environment: { TRUST_PROXY: 'yes' } });
  await expect(attempt).rejects.toThrow(/^TRUST_PROXY: must be how many proxies stand before it\n$/);
});

test('a port that is taken stops the start, and the database with it', async () => {
  const first = await started({ dataDir: await folder() });
  const dataDir = await folder();
  const attempt = startProgram({ dataDir, environment: { PORT: new URL(first.url).port } });
  await expect(attempt).rejects.toThrow(/EADDRINUSE/);
  expect(await processesNaming(dataDir)).toEqual([]);
});

test('what a kill -9 in the middle of an upload left over is swept away at the next start; what was kept stays', async () => {
  const dataDir = await folder();
  const environment = { ADMIN_PASSWORD: 'teacher-pass' };
  const first = await started({ dataDir, environment });
  const { student } = await makeStudent(first.url);
  const kept = await student.form('/api/recordings', {
    title: 'Kept',
    audio: { bytes: tone(1), name: 'a.wav' },
  });
  expect(kept.status).toBe(201);
  // A file that was published without its row, as a crash between the two leaves it, and a half upload.
  await mkdir(join(dataDir, 'media', 'ab'), { recursive: true });
  await writeFile(join(dataDir, 'media', 'ab', 'abandoned.wav'), tone(1));
  await writeFile(join(dataDir, 'staging', 'half'), 'RIFF');
  await first.end('SIGKILL');

  const second = await started({ dataDir, environment });
  await expect.poll(() => readdir(join(dataDir, 'staging'))).toEqual([]);
  await expect.poll(() => readdir(join(dataDir, 'media', 'ab'))).not.toContain('abandoned.wav');
  const browser = new Client(second.url);
  for (const [name, value] of student.cookies) browser.cookies.set(name, value);
  const file = await browser.get(`/api/files/${kept.body.audioUrl}?type=audio`);
  expect(file.bytes.equals(tone(1))).toBe(true);
});

test.skipIf(!isRoot)('it runs for a user who is not root', async () => {
  const nobody = 65_534;
  const dataDir = await folder(nobody);
  const program = await started({ dataDir, uid: nobody, environment: { HOME: dataDir } });
  expect((await new Client(program.url).get('/api/ready')).status).toBe(200);
  expect((await program.end()).code).toBe(0);
});

test.skipIf(!postgres15)(
  'two processes share a PostgreSQL server of the operator’s, its news and its limits, and both may start at once',
  async () => {
    const serverDir = await folder();
    const quiet = () => undefined;
    const server = await startEmbeddedPostgres({
      dataDir: serverDir,
      binDir: postgres15 ?? undefined,
      log: { info: quiet, warn: quiet, error: quiet },
    });
    cleanUp.push(() => server.stop());
    const { host, port, user, database } = server.connection;
    const DATABASE_URL = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
    const dataDir = await folder();
    const [one, two] = await Promise.all(
      [1, 2].map(() => started({ dataDir, environment: { DATABASE_URL, ADMIN_PASSWORD: 'teacher-pass' } })),
    );
    const { teacher, student } = await makeStudent(one!.url);
    const elsewhere = new Client(two!.url);
    for (const [name, value] of student.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.get('/api/user')).status).toBe(200);

    // What happens at one is told to a page that is open at the other.
    const page = await elsewhere.stream('/api/events');
    const sent = await student.form('/api/recordings', {
      title: 'Kyab',
      audio: { bytes: tone(1), name: 'kyab.wav' },
    });
    await teacher.form('/api/feedback', { recordingId: sent.body.id as number, writtenFeedback: 'Good.' });
    await vi.waitFor(() => expect(JSON.stringify(page.events)).toContain('"/api/feedback"'), 10_000);
    await page.close();

    // Who guesses at one is shut out of the other, and of one that is started anew.
    const guess = (url: string, password: string) =>
      new Client(url).post('/api/login', { username: 'tashi', password });
    for (let i = 0; i < 10; i += 1) expect((await guess([one, two][i % 2]!.url, 'guess')).status).toBe(401);
    expect((await guess(two!.url, 'guess')).status).toBe(429);
    expect((await one!.end()).code).toBe(0);
    const again = await started({ dataDir, environment: { DATABASE_URL } });
    expect((await guess(again.url, 'guess')).status).toBe(429);
    expect((await again.end()).code).toBe(0);
    expect((await two!.end()).code).toBe(0);
  },
);

async function makeStudent(url: string) {
  const teacher = new Client(url);
  await teacher.post('/api/login', { username: 'khandro', password: 'teacher-pass' });
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const made = await teacher.post('/api/admin/create-user-with-credentials', {
    email: 'tashi@example.org',
    firstName: 'Tashi',
    lastName: 'Dolma',
    transmissionLevels: [level!.id],
  });
  const student = new Client(url);
  await student.post('/api/login', { username: 'tashi', password: made.body.password });
  return { teacher, student };
}

/** The folder with another PostgreSQL's programs, where the machine has one. */
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
