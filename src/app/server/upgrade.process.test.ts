import { createHash } from 'node:crypto';
import { cp, glob, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/postgres/start.ts';
import { TestClient } from '#testing/client.ts';
import { copyTemplateCluster } from '#testing/cluster.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { createDataFolder, startProgram, type RunningProgram } from '#testing/program.ts';
import { createTone } from '#testing/tone.ts';
import { waitFor } from '#testing/wait-for.ts';

// The data that version 0.1.0 left when it was stopped. docs/testing.md describes how it was created.
const release = join(import.meta.dirname, '../../testing/first-release');
const PASSWORD = 'lotus-in-the-lake';
const TASHIS_SESSION = 'D9beuxx9as4W07e8KIFKJD3vvElhA088N_pzAENqZbY';
/** Passwords in the invitation that waits in the outbox, and in the undelivered email. */
const MAILED = { yeshe: 'vapuza-nigura-pefubo-78', lobsang: 'regiji-sizeja-hitiji-97' };
const UPLOAD = '7a1f0c1e-7d0b-4c42-9d0c-0d3f8f7a5b01';

/** Fills an empty data folder with the data of the first release, as if that release had just been stopped. */
async function createFirstReleaseFolder(dataDir: string) {
  await copyTemplateCluster(dataDir);
  await withDatabase(dataDir, async (query) => {
    // Drops today's tables, which the new cluster already contains.
    await query('drop schema public, drizzle cascade; create schema public');
    await query(await readFile(join(release, 'database.sql'), 'utf8'));
    await query(`set search_path to public`);
    // Moves all times to the present. Otherwise the sessions, uploads and emails would have expired.
    await query(`do $$
      declare
        since interval := now() - (select max(at) from audit_log);
        found record;
      begin
        for found in select table_name, column_name from information_schema.columns
          where table_schema = 'public' and data_type = 'timestamp with time zone'
        loop
          execute format('update %1$I set %2$I = %2$I + $1', found.table_name, found.column_name) using since;
        end loop;
      end $$`);
  });
  await cp(join(release, 'files'), dataDir, { recursive: true });
}

type Query = (statement: string) => Promise<unknown[]>;

async function withDatabase<T>(dataDir: string, work: (query: Query) => Promise<T>): Promise<T> {
  const quiet = () => undefined;
  const log = { info: quiet, warn: quiet, error: quiet };
  let postgres: EmbeddedPostgres | undefined;
  try {
    postgres = await startEmbeddedPostgres({ dataDir, log });
    const { pool, close } = openDatabase(postgres.connection, quiet, { size: 1 });
    try {
      return await work(async (statement) => (await pool.query<object>(statement)).rows);
    } finally {
      await close();
    }
  } finally {
    await postgres?.stop();
  }
}

const newest = (dataDir: string, settings: Record<string, string> = {}) =>
  startProgram({ dataDir, environment: { PUBLIC_URL: 'https://songs.example.org', ...settings } });

async function signInClient({ url }: RunningProgram, username: string, password = PASSWORD) {
  const client = new TestClient(url);
  expect(await client.post('/api/login', { username, password })).toMatchObject({ status: 200 });
  return client;
}

describe('an upgrade from the first release', () => {
  let program: RunningProgram;
  let teacher: TestClient;
  let tashi: TestClient;
  const endings: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of endings.reverse()) await end();
  });
  beforeAll(async () => {
    const { dataDir, remove } = await createDataFolder();
    endings.push(remove);
    await createFirstReleaseFolder(dataDir);
    program = await newest(dataDir);
    endings.push(() => program.end());
    teacher = await signInClient(program, 'khandro');
    tashi = await signInClient(program, 'tashi@example.org');
  });

  test('an upgrade keeps passwords, an open session and each user’s access', async () => {
    await signInClient(program, 'pema');
    for (const [username, password] of Object.entries(MAILED))
      await signInClient(program, username, password);
    const disabled = await new TestClient(program.url).post('/api/login', {
      username: 'norbu',
      password: PASSWORD,
    });
    expect(disabled.status).toBe(403);

    const open = new TestClient(program.url);
    open.cookies.set('__Host-session', TASHIS_SESSION);
    expect((await open.get('/api/user')).body).toMatchObject({ username: 'tashi', lastName: 'Dölma' });
    expect(titlesOf(await tashi.get('/api/melodies'))).toEqual(['སྐྱབས་འགྲོ་', 'Mani']);
    expect(titlesOf(await teacher.get('/api/melodies'))).toEqual(['Chöd of the Khandro', 'སྐྱབས་འགྲོ་', 'Mani']);
  });

  test('an upgrade keeps every file, byte for byte', async () => {
    const names: string[] = [];
    for await (const path of glob('files/media/*/*', { cwd: release })) {
      const name = basename(path);
      const type = name.endsWith('.webp') ? 'image' : 'audio';
      const { status, bytes } = await teacher.get(`/api/files/${name}?type=${type}`);
      expect([name, status, hash(bytes)]).toEqual([name, 200, hash(await readFile(join(release, path)))]);
      names.push(name);
    }
    const own = (await tashi.get('/api/student/recordings')).body as { audioUrl: string }[];
    for (const { audioUrl } of own)
      expect((await tashi.get(`/api/files/${audioUrl}?type=audio`)).status).toBe(200);
    expect([names.length, own.length]).toEqual([11, 4]);
  });

  test('an upgrade keeps melodies with line times, and search finds Tibetan words', async () => {
    const [mani] = (await tashi.get('/api/melodies?q=པདྨེ')).body as { id: number }[];
    const { body } = await tashi.get(`/api/melodies/${mani?.id}`);
    expect(body).toMatchObject({ title: 'Mani', duration: 1, seeksExactly: true });
    expect(body.melodyText).toContain('bo: ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།\nom mani padme hung');
    expect(body.timings[3]).toEqual({ line: 4, start: 1 });
    expect(titlesOf(await teacher.get('/api/melodies?q=chod'))).toEqual(['Chöd of the Khandro']);
  });

  test('an upgrade keeps recordings, replies with marks, corrections and drafts', async () => {
    const feedback = (await tashi.get('/api/feedback')).body as object[];
    expect(feedback).toMatchObject([
      { writtenFeedback: 'སྙན་པོ་འདུག', status: 'unread', audioFeedbackDuration: 2 },
      { writtenFeedback: null, status: 'read', audioFeedbackDuration: 1 },
      {
        writtenFeedback: 'Lovely. A little lower at the end.',
        status: 'integrated',
        marks: [
          { start: 0.2, end: null, text: 'Hold this one longer', melodyAt: 1 },
          { start: 0.5, end: 0.9, text: 'Beautiful', melodyAt: null },
        ],
        correctedAt: expect.any(String) as string,
        recording: { message: 'My first try', attempt: 1 },
      },
    ]);
    expect((await teacher.get('/api/recordings/pending')).body).toMatchObject([
      { title: 'Mani', message: 'Slower now', attempt: 3, student: { username: 'tashi' } },
      { title: 'A song of my own', melodyId: null, student: { username: 'pema' } },
    ]);
    expect((await teacher.get('/api/admin/feedback-drafts')).body).toMatchObject([
      { text: 'Where did you learn', marks: [{ text: 'Hold this one longer' }] },
    ]);
  });

  test('an upgrade keeps registrations and the audit log, and retries undelivered emails', async () => {
    const requests = (await teacher.get('/api/admin/registration-requests')).body as object[];
    expect(requests).toMatchObject([
      { fullName: 'Lobsang Dawa', status: 'approved' },
      { fullName: 'Dolma Tsering', status: 'pending' },
    ]);
    expect(await teacher.get('/api/admin/audit-log')).toMatchObject({
      body: { 0: { action: 'request-approved', subjectName: 'Lobsang Dawa' }, length: 7 },
    });
    const mail = await waitFor(async () => {
      const { body } = await teacher.get('/api/admin/mail/outbox');
      expect(body).toHaveLength(2);
      return body as { id: number; recipient: string }[];
    });
    const texts: Record<string, unknown> = {};
    for (const { id, recipient } of mail)
      texts[recipient.split('@')[0]!] = (await teacher.post(`/api/admin/mail/${id}/text`)).body.text;
    expect(texts).toEqual({
      yeshe: expect.stringContaining(MAILED.yeshe) as string,
      lobsang: expect.stringContaining(MAILED.lobsang) as string,
    });
  });

  test('an upload in progress is restarted after an upgrade and can be completed', async () => {
    const bytes = createTone(1);
    const begun = await tashi.put(`/api/uploads/${UPLOAD}`, { size: bytes.length });
    expect(begun).toMatchObject({ status: 200, body: { received: 0 } });
    const sent = await tashi.patch(`/api/uploads/${UPLOAD}?start=0`, bytes);
    expect(sent.body).toEqual({ received: bytes.length });
    const made = await tashi.form('/api/recordings', { title: 'After it', uploadId: UPLOAD });
    expect(made).toMatchObject({ status: 201, body: { duration: 1, attempt: null } });
  });
});

describe('a second start', () => {
  const { cleanUp, folder } = createTestCleanup();

  test('the second start after an upgrade does not change rows or files', async () => {
    const dataDir = await folder();
    await createFirstReleaseFolder(dataDir);
    const startAndStop = async () => {
      // Disables ffmpeg. Otherwise, the second start would make the copies that the first start did not finish.
      const program = await newest(dataDir, { FFMPEG_PATH: 'none' });
      cleanUp.push(async () => {
        if (program.child.exitCode === null) await program.end('SIGKILL');
      });
      await waitFor(async () => expect(await readdir(join(dataDir, 'outbox'))).toHaveLength(2));
      await waitFor(async () => expect(await listPendingLineJobs(dataDir)).toEqual([]));
      expect(await program.end()).toEqual({ code: 0, signal: null });
      return { rows: await withDatabase(dataDir, everyRow), files: await everyFile(dataDir) };
    };
    const first = await startAndStop();
    expect(first.rows.length).toBeGreaterThan(50);
    expect(await startAndStop()).toEqual(first);
  });
});

/** Returns the recordings whose lines the running program has not found yet. */
async function listPendingLineJobs(dataDir: string) {
  const { pool, close } = openDatabase((await findRunningConnectionSettings(dataDir))!, () => undefined, {
    size: 1,
  });
  try {
    return (await pool.query<object>('select recording_id from line_jobs')).rows;
  } finally {
    await close();
  }
}

async function everyRow(query: Query) {
  const tables = (await query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'drizzle') order by 1`,
  )) as { name: string }[];
  // Leaves out the time of the last check, because each start checks the files again.
  const rows = tables.map(({ name }) =>
    query(
      `select '${name}' as "table", to_jsonb(one) - 'checked_at' as row from ${name} one order by one::text`,
    ),
  );
  return (await Promise.all(rows)).flat();
}

async function everyFile(dataDir: string) {
  const files: [string, string][] = [];
  for await (const path of glob('{media,outbox,uploads}/**/*.*', { cwd: dataDir }))
    files.push([path, hash(await readFile(join(dataDir, path)))]);
  return files.sort();
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const titlesOf = ({ body }: { body: unknown }) => (body as { title: string }[]).map(({ title }) => title);
