import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_SANDBOX } from '#server/decoding/sandbox.ts';
import { openLog } from '#server/log.ts';
import type { MediaStore } from '#server/media/store.ts';
import { parseSungLines } from '#features/lyrics/parse.ts';
import { startTestApp, type TestApp } from '#testing/app.ts';
import { DEMO_STUDENTS } from './community.ts';
import { getDemoEnvironment, prepareDemo } from './prepare.ts';
import { seedDemo } from './seed.ts';

const { ADMIN_USERNAME, ADMIN_PASSWORD } = getDemoEnvironment({});
const startEmpty = async () => {
  const app = await startTestApp({ environment: { ADMIN_USERNAME, ADMIN_PASSWORD } });
  await app.services.users.createFirstAdmin(app.settings.firstAdmin);
  return app;
};

const partsOf = (app: TestApp, store: MediaStore = app.store) => ({
  settings: app.settings,
  database: app.database,
  dataFolder: app.dataFolder,
  store,
  disk: app.disk,
  staging: app.staging,
  partials: app.partials,
  decoders: { ffmpegPath: null, sandbox: NO_SANDBOX },
  log: openLog('silent'),
  clock: () => new Date(),
});

const TABLES = ['users', 'melodies', 'recordings', 'feedback', 'registration_requests', 'media_files'];
const countAll = async (app: TestApp) => Promise.all(TABLES.map((table) => app.count(table)));

const app = await startEmpty();
const prepare = () => prepareDemo({ parts: partsOf(app), services: app.services });
let printed: string[];

/** Parses the printed table: a username and a password in each row below the headings. */
const signIns = () =>
  printed
    .slice(printed.findIndex((line) => line.includes('username')) + 1)
    .map((line) => line.trim().split(/\s+/))
    .map(([username = '', password = '']) => ({ username, password }));

const signInClient = async (username: string) => {
  const client = app.visitor();
  const { password } = signIns().find((one) => one.username === username)!;
  expect((await client.post('/api/login', { username, password })).status).toBe(200);
  return client;
};

describe('the demo', () => {
  beforeAll(async () => {
    // The first start fails halfway, as if the process were killed.
    let published = 0;
    const failing: MediaStore = {
      ...app.store,
      publish: async (path, name) => {
        published += 1;
        if (published === 4) throw new Error('The disk is gone');
        await app.store.publish(path, name);
      },
    };
    await expect(seedDemo(partsOf(app, failing))).rejects.toThrow('The disk is gone');
    expect(await countAll(app)).toEqual([1, 0, 0, 0, 0, 0]);
    printed = await prepare();
  }, 240_000);

  test('a first start that fails halfway leaves no rows, and the next start succeeds', async () => {
    // Sweeps the files that the failed start had stored, as every start does.
    await app.services.fileRounds({ before: new Date(), read: 'none' });
    expect(await app.files()).toHaveLength(await app.count('media_files'));
    expect(await countAll(app)).toEqual([
      // The teacher, the students whose passwords are known, and the newcomer.
      1 + DEMO_STUDENTS.length + 1,
      12,
      12,
      5,
      2,
      // Files: melodies with audio, pictures, recordings and spoken replies.
      11 + 9 + 12 + 3,
    ]);
  });

  test('the teacher sees seven recordings, oldest first, with playable audio', async () => {
    const teacher = await signInClient('khandro');
    const { body: pending } = await teacher.get('/api/recordings/pending');
    expect(pending).toHaveLength(7);
    const hoursAgo = pending.map((one: { createdAt: string }) =>
      Math.round((Date.now() - Date.parse(one.createdAt)) / 3_600_000),
    );
    expect(hoursAgo).toEqual([53, 44, 26, 22, 9, 3, 1]);
    for (const { audioUrl, duration, melodyId, peaks } of pending) {
      const sound = await teacher.get(`/api/files/${audioUrl}?type=audio`);
      expect(sound.status).toBe(200);
      expect(sound.headers.get('content-type')).toBe('audio/mpeg');
      expect(duration).toBeGreaterThanOrEqual(8);
      expect(duration).toBeLessThanOrEqual(25);
      expect(melodyId).not.toBeNull();
      expect(peaks).not.toBeNull();
    }
    expect((await teacher.get('/api/user')).body).toMatchObject({
      firstName: 'Khandro Pema',
      lastName: 'Lhamo',
    });
  });

  test('each student signs in with the printed password and sees their levels’ melodies', async () => {
    expect(signIns()).toHaveLength(1 + DEMO_STUDENTS.length);
    const heard: Record<string, number> = {};
    for (const { username } of DEMO_STUDENTS) {
      const student = await signInClient(username);
      heard[username] = (await student.get('/api/melodies')).body.length;
    }
    expect(heard).toEqual({ karma: 3, marianne: 6, jampa: 9, tashi: 11, 'ani.lhamo': 12 });
  });

  test('every reply has text, and the replies cover all three statuses', async () => {
    const { rows } = await app.db.execute(sql`
      select status, written_feedback is not null as written, audio_feedback_url is not null as spoken,
        jsonb_array_length(marks) as marks
      from feedback order by id`);
    expect(rows).toEqual([
      { status: 'integrated', written: true, spoken: false, marks: 0 },
      { status: 'read', written: true, spoken: true, marks: 2 },
      { status: 'read', written: true, spoken: true, marks: 1 },
      { status: 'unread', written: true, spoken: false, marks: 0 },
      { status: 'unread', written: true, spoken: true, marks: 0 },
    ]);
  });

  test('eleven of the twelve melodies have different audio of 12 to 40 seconds', async () => {
    const { rows } = await app.db.execute<{ duration_ms: number; sha256: string }>(sql`
      select duration_ms, sha256 from media_files where slot = 'melody-audio'`);
    expect(rows).toHaveLength(11);
    expect(new Set(rows.map((row) => row.sha256)).size).toBe(11);
    for (const row of rows) expect(row.duration_ms / 1000).toSatisfy((s: number) => s >= 12 && s <= 40);
  });

  test('every melody with audio has a time for each line, within its duration', async () => {
    const teacher = await signInClient('khandro');
    const { body: melodies } = await teacher.get('/api/melodies');
    for (const { id, audioUrl, duration, melodyText } of melodies) {
      const { timings } = (await teacher.get(`/api/melodies/${id}`)).body;
      if (!audioUrl) {
        expect(timings).toBeNull();
        continue;
      }
      expect(melodyText).not.toContain('[');
      expect(timings).toHaveLength(parseSungLines(melodyText).length);
      for (const { start } of timings) expect(start).toSatisfy((s: number) => s > 0 && s < duration - 2);
    }
  });

  test('the teacher sees one pending and one approved request, and an ordered audit log', async () => {
    const teacher = await signInClient('khandro');
    const { body: requests } = await teacher.get('/api/admin/registration-requests');
    expect(requests).toMatchObject([
      { fullName: 'Sonam Wangmo', status: 'pending', processedAt: null },
      { fullName: 'Pema Tsering', status: 'approved', processedAt: expect.any(String) },
    ]);
    const { body: entries } = await teacher.get('/api/admin/audit-log');
    expect(entries).toHaveLength(DEMO_STUDENTS.length + 1);
    expect(entries[0]).toMatchObject({
      actorName: 'Khandro Pema Lhamo',
      action: 'request-approved',
      subjectName: 'Pema Tsering',
      detail: 'Open to All',
    });
    const times = entries.map((entry: { at: string }) => Date.parse(entry.at));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    // Users with the printed password are not asked to choose a new one.
    expect((await (await signInClient('karma')).get('/api/user')).body.suggestOwnPassword).toBe(false);
  });

  test('a later start of the demo does not create anything again', async () => {
    const before = await countAll(app);
    const again = await prepare();
    expect(await countAll(app)).toEqual(before);
    expect(again.slice(2)).toEqual(printed.slice(2));
  });

  test('a deleted student is not created again and is missing from the printed list', async () => {
    const { rows } = await app.db.execute(sql`delete from users where username = 'karma' returning id`);
    expect(rows).toHaveLength(1);
    const before = await countAll(app);
    expect((await prepare()).join('\n')).not.toContain('karma');
    expect(await countAll(app)).toEqual(before);
  });
});

test('does not change a community that is not the demo, and prints no password', async () => {
  const other = await startEmpty();
  await other.make.student({ username: 'pema' });
  const before = await countAll(other);
  const lines = await prepareDemo({ parts: partsOf(other), services: other.services });
  expect(await countAll(other)).toEqual(before);
  expect(lines.join('\n')).not.toContain(ADMIN_PASSWORD);
});

test('the operator’s settings take precedence over the demo’s defaults', () => {
  expect(getDemoEnvironment({ DATA_DIR: '', PORT: '3400', ADMIN_USERNAME: 'lama' })).toMatchObject({
    DATA_DIR: './data-demo',
    PORT: '3400',
    ADMIN_USERNAME: 'lama',
  });
});
