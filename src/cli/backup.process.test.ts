import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { createBackupKeys } from '#features/operations/backups/server/encryption.ts';
import { takeNightlyBackup } from '#features/operations/backups/server/nightly-backup.ts';
import { openDiskStore } from '#server/media/disk-store.ts';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { startEmbeddedPostgres } from '#server/postgres/start.ts';
import { startCommunity } from '#testing/community.ts';
import { TestClient, type TestResponse } from '#testing/client.ts';
import { runScript } from '#testing/run-script.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { startProgram, type RunningProgram } from '#testing/program.ts';
import { createTone } from '#testing/tone.ts';

const { cleanUp, folder } = createTestCleanup();

const PASSWORD = 'teacher-pass';

/**
 * Starts a database server.
 * @returns the URL of an empty database on it
 */
async function databaseServer(): Promise<string> {
  const quiet = () => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };
  const server = await startEmbeddedPostgres({ dataDir: await folder(), log });
  cleanUp.push(() => server.stop());
  const { host, port, user, database } = server.connection;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

type Place = { DATA_DIR: string; DATABASE_URL?: string };

async function startTestProgram({ DATA_DIR: dataDir, ...environment }: Place): Promise<RunningProgram> {
  const program = await startProgram({ dataDir, environment: { ...environment, ADMIN_PASSWORD: PASSWORD } });
  cleanUp.push(async () => {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end();
  });
  return program;
}

async function signInClient({ url }: RunningProgram, username: string, password: string) {
  const client = new TestClient(url);
  expect((await client.post('/api/login', { username, password })).status).toBe(200);
  return client;
}

test('backup and restore move everything between the embedded and an external database', async () => {
  const backups = await folder();
  const first = { DATA_DIR: await folder() };
  const program = await startTestProgram(first);
  const teacher = await signInClient(program, 'khandro', PASSWORD);
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const made: TestResponse = await teacher.post('/api/admin/create-user-with-credentials', {
    ...{ email: 'tashi@example.org', firstName: 'Tashi', lastName: 'Dolma', transmissionLevels: [level!.id] },
  });
  const student = await signInClient(program, 'tashi', made.body.password as string);
  const sent = await student.form('/api/recordings', {
    title: 'Carried along',
    audio: { bytes: createTone(2), name: 'a.wav' },
  });
  expect(sent.status).toBe(201);

  const running = join(backups, 'running');
  expect(await runScript('backup', [running], first)).toMatchObject({
    code: 0,
    said: expect.stringContaining('the whole database and 1 file'),
  });
  const used = await runScript('restore', [running], first);
  expect(used.code).toBe(1);
  expect(used.said).toContain('in use by another Yangchen');
  await program.end();
  expect((await runScript('restore', [running], first)).said).toContain('There is already a community here.');

  const onServer = { DATA_DIR: await folder(), DATABASE_URL: await databaseServer() };
  expect(await runScript('restore', [running], onServer)).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /Start Yangchen as usual\.\nEveryone has to sign in again\..*\nEverything else is as it was when the backup was made\..*\n {2}- levels taken away since then are granted again/,
    ),
  });
  const moved = await startTestProgram(onServer);
  const oldSession = new TestClient(moved.url);
  oldSession.cookies.set('session', student.cookies.get('session')!);
  expect((await oldSession.get('/api/user')).status).toBe(401);
  const there = await signInClient(moved, 'tashi', made.body.password as string);
  expect((await there.get(`/api/files/${sent.body.audioUrl}?type=audio`)).bytes).toEqual(createTone(2));
  await moved.end();

  const stopped = join(backups, 'stopped');
  const encrypting = { BACKUP_PASSPHRASE: 'correct horse battery' };
  expect(await runScript('backup', [stopped], { ...onServer, ...encrypting })).toEqual({
    code: 0,
    said: expect.stringMatching(/, encrypted\.\n$/),
  });
  const back = { DATA_DIR: join(await folder(), 'not-there-yet') };
  expect((await runScript('restore', [stopped], { ...back, ...encrypting })).code).toBe(0);
  const again = await signInClient(await startTestProgram(back), 'tashi', made.body.password as string);
  expect((await again.get(`/api/files/${sent.body.audioUrl}?type=audio`)).bytes).toEqual(createTone(2));
});

test('restore names the missing files of a nightly backup and restores the rest', async () => {
  const { addMelody, dataDir, end } = await startCommunity();
  cleanUp.push(end);
  for (const name of ['one.wav', 'two.wav']) await addMelody({ audioFile: { bytes: createTone(2), name } });
  const source = {
    connection: (await findRunningConnectionSettings(dataDir))!,
    store: openDiskStore(join(dataDir, 'media'), () => Promise.resolve()),
    outbox: join(dataDir, 'outbox'),
  };
  const backups = await folder();
  const { name } = await takeNightlyBackup(source, backups, 'yangchen-2026-11-22.tar', {
    keys: createBackupKeys(null),
    signal: new AbortController().signal,
    assertSpace: () => Promise.resolve(),
  });
  const media = (await readdir(join(backups, 'media'), { recursive: true })).filter((path) =>
    path.includes('/'),
  );
  expect(media).toHaveLength(2);
  await rm(join(backups, 'media', media[0]!));
  const restored = await runScript('restore', [join(backups, name)], { DATA_DIR: await folder() });
  expect(restored).toMatchObject({
    code: 0,
    said: expect.stringContaining(
      `1 file was not restored, because it is missing or damaged in ${backups}/media: ${basename(media[0]!)}\n`,
    ),
  });
  expect(restored.said).toContain('the whole database and 1 file.');
});

test('restore explains what to do if the file is missing or not a backup', async () => {
  const place = { DATA_DIR: await folder() };
  expect(await runScript('restore', [''], place)).toMatchObject({
    code: 2,
    said: expect.stringContaining('npm run restore -- FILE'),
  });
  expect(await runScript('restore', ['package.json'], place)).toMatchObject({
    code: 1,
    said: expect.stringMatching(/package\.json is not a backup of Yangchen\. Nothing was changed\.\n$/),
  });
});
