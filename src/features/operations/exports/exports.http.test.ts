import type { Readable } from 'node:stream';
import papaparse from 'papaparse';
import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { melodies, recordings } from '#server/db/schema.ts';
import { AppError } from '#shared/errors.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { startTestApp, type TestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { openSlowReader, type SlowReader } from '#testing/slow-reader.ts';
import { createTone } from '#testing/tone.ts';
import { unzip } from '#testing/unzip.ts';
import { waitFor } from '#testing/wait-for.ts';

const app = await startTestApp({ alone: true });
const khandro = await app.make.teacher({ firstName: 'Khandro', lastName: 'Lhamo' });
const teacher = await app.as(khandro);

const ofStudent = ({ id }: { id: string }) => `/api/users/${id}/export`;
const LIBRARY = '/api/admin/library/export';

async function download(client: TestClient, path: string) {
  const reply = await client.get(path);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = await unzip(reply.bytes);
  const text = (name: string) => files.get(name)?.bytes.toString('utf8');
  return { headers: reply.headers, files, names: [...files.keys()], text };
}

const rowsIn = (table: string | undefined) =>
  papaparse.parse<string[]>(table!.trimEnd(), { delimiter: ',' }).data.slice(1);

async function submit(
  student: { id: string },
  given: { title: string; message?: string; melodyId?: number; at?: string; sound?: Buffer },
) {
  const { recording } = await app.services.recordings.submit(
    { title: given.title, message: given.message, melodyId: given.melodyId },
    await app.make.staged(given.sound ?? createTone(1)),
    { id: student.id, role: 'student' },
  );
  if (given.at)
    await app.db
      .update(recordings)
      .set({ createdAt: new Date(given.at) })
      .where(eq(recordings.id, recording.id));
  return recording;
}

async function answer(recordingId: number, given: { written?: string; marks?: string; sound?: Buffer }) {
  const reply = await teacher.form('/api/feedback', {
    recordingId,
    ...(given.written && { writtenFeedback: given.written }),
    ...(given.marks && { marks: given.marks }),
    ...(given.sound && { audioFeedback: { bytes: given.sound, name: 'reply.wav' } }),
  });
  expect(reply.status).toBe(201);
  return reply.body as { id: number };
}

test('a student’s export contains all recordings, texts and replies, and a table', async () => {
  const student = await app.make.student({ firstName: 'Tashi', lastName: 'Dolma', levels: ['Refuge'] });
  const melody = await app.make.melody({ level: 'Refuge', audio: createTone(3) });
  const [first, second, third, replied] = [
    createTone(1, 220),
    createTone(2, 330),
    createTone(1, 440),
    createTone(2, 550),
  ];
  const of = { melodyId: melody.id };
  const one = await submit(student, {
    ...{ title: 'སྐྱབས་འགྲོ།', sound: first, at: '2026-11-18T06:30:00Z', ...of },
    message: 'Is the last note too high?',
  });
  const other = await submit(student, { title: 'སྐྱབས་འགྲོ།', sound: second, at: '2026-11-19T06:30:00Z', ...of });
  await submit(student, { title: 'My own song', sound: third, at: '2026-11-20T23:59:00Z' });
  const [voice, said] = [crypto.randomUUID(), createTone(1, 660)];
  await teacher.put(`/api/uploads/${voice}`, { size: said.length });
  await teacher.patch(`/api/uploads/${voice}?start=0`, said);
  const marks = JSON.stringify([{ start: 0.5, end: null, text: 'A breath here.' }]);
  const spoken = JSON.stringify([{ start: 0.5, end: null, text: '', voice }]);
  const reply = await answer(one.id, { written: 'Beautiful.\nSlower.', marks, sound: replied });
  await teacher.form(
    `/api/feedback/${reply.id}`,
    { writtenFeedback: 'Beautiful.\nA little slower.' },
    { method: 'PUT' },
  );
  await answer(other.id, { marks: spoken });
  await teacher.put(`/api/admin/recordings/${one.id + 2}/draft`, { text: 'Not said yet', marks: [] });
  // Revokes access to the melody. The student's recordings of it must still be exported, but not the melody
  // itself.
  const level = await app.make.level('Refuge');
  await teacher.delete(`/api/admin/users/${student.id}/transmission-access/${level.id}`);

  const { headers, files, names, text } = await download(await app.as(student), ofStudent(student));

  const [latest, later, earlier] = [
    'recordings/2026-11-20 My own song',
    'recordings/2026-11-19 སྐྱབས་འགྲོ།, recording 2',
    'recordings/2026-11-18 སྐྱབས་འགྲོ།, recording 1',
  ];
  expect(names).toEqual([
    'README.txt',
    `${latest}.wav`,
    `${later}.wav`,
    `${later}.txt`,
    `${later}, comments/1 at 0-00.wav`,
    `${earlier}.wav`,
    `${earlier}.txt`,
    `${earlier}, audio feedback.wav`,
    'recordings.csv',
  ]);
  expect(files.get(`${latest}.wav`)!.bytes.equals(third)).toBe(true);
  expect(files.get(`${later}.wav`)!.bytes.equals(second)).toBe(true);
  expect(files.get(`${later}, comments/1 at 0-00.wav`)!.bytes.equals(said)).toBe(true);
  expect(files.get(`${earlier}.wav`)!.bytes.equals(first)).toBe(true);
  expect(files.get(`${earlier}, audio feedback.wav`)!.bytes.equals(replied)).toBe(true);
  expect(files.get(`${earlier}.wav`)!.modified).toEqual(new Date('2026-11-18T06:30:00Z'));
  expect([...files.values()].every(({ isStored }) => isStored)).toBe(true);
  expect(text(`${earlier}.txt`)).toMatch(
    /^སྐྱབས་འགྲོ།\nSent 2026-11-18 06:30 UTC\nRecording 1 of this melody\n\nMESSAGE\n\nIs the last note too high\?\n\nFEEDBACK FROM Khandro-la\nGiven 20[-\d: ]+ UTC, corrected 20[-\d: ]+ UTC\n\nBeautiful\.\nA little slower\.\n\nComments on the recording:\n0:00 – A breath here\.\n$/,
  );
  // The export lists the marks, so it omits the written feedback generated from them.
  expect(text(`${later}.txt`)!.split('0:00 – spoken')).toHaveLength(2);
  expect(rowsIn(text('recordings.csv'))).toEqual([
    ['2026-11-20 23:59 UTC', 'My own song', '', '1', 'pending', `${latest}.wav`, '', '', ''],
    [
      ...['2026-11-19 06:30 UTC', 'སྐྱབས་འགྲོ།', '2', '2', 'unread', `${later}.wav`, `${later}.txt`],
      ...[expect.stringMatching(/UTC$/), ''],
    ],
    [
      ...['2026-11-18 06:30 UTC', 'སྐྱབས་འགྲོ།', '1', '1', 'unread', `${earlier}.wav`, `${earlier}.txt`],
      ...[expect.stringMatching(/UTC$/), `${earlier}, audio feedback.wav`],
    ],
  ]);
  expect([...files.values()].some(({ bytes }) => bytes.includes('Not said yet'))).toBe(false);
  expect(text('README.txt')).toContain("Yangchen: Tashi Dolma's data");
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-disposition': expect.stringMatching(
      /^attachment; filename="Yangchen, Tashi Dolma, [-\d]{10}\.zip"; filename\*=UTF-8''Yangchen%2C%20Tashi%20Dolma%2C%20[-\d]{10}\.zip$/,
    ),
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  });
  const size = await (await app.as(student)).get(`${ofStudent(student)}/size`);
  const bytes = [first, second, third, replied, said].reduce((sum, { length }) => sum + length, 0);
  expect(size.body).toEqual({ recordings: 3, replies: 2, bytes });
});

test('every title gets a unique file name that is valid on all systems', async () => {
  const student = await app.make.student({ firstName: 'པདྨ་', lastName: '"; x=../\\' });
  const titles = [
    '../../../etc/passwd',
    'CON',
    'a/b\\c:d*e?"f"<g>|h',
    'Song',
    'SONG',
    'Song',
    'Song, audio feedback',
    '🪷'.repeat(100),
    'x'.repeat(200),
    '=HYPERLINK(0)',
  ];
  for (const title of titles) await submit(student, { title, at: '2026-11-20T06:30:00Z' });
  const { headers, names, text } = await download(await app.as(student), ofStudent(student));
  const sounds = names.filter((name) => name.endsWith('.wav'));
  expect(sounds.reverse().map((name) => name.replace('recordings/2026-11-20 ', ''))).toEqual([
    'etc passwd.wav',
    '_CON.wav',
    'a b c d e f g h.wav',
    'Song (4).wav',
    'SONG (3).wav',
    'Song (2).wav',
    'Song, audio feedback.wav',
    `${'🪷'.repeat(37)}.wav`,
    `${'x'.repeat(80)}.wav`,
    '=HYPERLINK(0).wav',
  ]);
  expect(text('recordings.csv')).toContain(`"'=HYPERLINK(0)"`);
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="Yangchen, ____ _ x_, [-\d]{10}\.zip"; filename\*=UTF-8''[\w%.-]+$/,
  );
});

test('only the student and teachers can export a student’s data', async () => {
  const student = await app.make.student();
  await submit(student, { title: 'Song' });
  const other = await app.as(await app.make.student());
  for (const path of [ofStudent(student), `${ofStudent(student)}/size`]) {
    const refusals = [
      await other.get(path),
      await other.get(path.replace(student.id, crypto.randomUUID())),
      await teacher.get(path.replace(student.id, khandro.id)),
      await teacher.get(path.replace(student.id, crypto.randomUUID())),
    ];
    for (const { status, body } of refusals)
      expect([status, body]).toEqual([404, { message: 'This user no longer exists' }]);
    expect((await app.visitor().get(path)).status).toBe(401);
    expect((await teacher.get(path.replace(student.id, 'x'))).status).toBe(404);
  }
  expect((await other.get(LIBRARY)).status).toBe(403);
});

test('a link on another site cannot start an export', async () => {
  const student = await app.make.student();
  const own = await app.as(student);
  for (const [client, path] of [
    [own, ofStudent(student)],
    [teacher, LIBRARY],
  ] as const) {
    for (const site of ['cross-site', 'same-site'])
      expect((await client.get(path, { headers: { 'sec-fetch-site': site } })).status).toBe(403);
    expect((await client.get(path, { headers: { referer: 'https://elsewhere.example/' } })).status).toBe(403);
    for (const site of ['same-origin', 'none'])
      expect((await client.get(path, { headers: { 'sec-fetch-site': site } })).status).toBe(200);
  }
});

const listAuditEntries = async () =>
  ((await teacher.get('/api/admin/audit-log')).body as Record<string, string>[]).map(
    ({ actorName, action, subjectName }) => [actorName, action, subjectName],
  );

test('the audit log records a teacher’s exports, but not a student’s own exports', async () => {
  const student = await app.make.student({ firstName: 'Pema', lastName: 'Yangzom' });
  await submit(student, { title: 'Song' });
  const before = await listAuditEntries();
  expect((await teacher.send('HEAD', ofStudent(student))).status).toBe(200);
  const own = await download(await app.as(student), ofStudent(student));
  expect(await listAuditEntries()).toEqual(before);
  const given = await download(teacher, ofStudent(student));
  expect(given.names).toEqual(own.names);
  await download(teacher, LIBRARY);
  expect((await listAuditEntries()).slice(0, 2)).toEqual([
    ['Khandro Lhamo', 'library-exported', 'Yangchen'],
    ['Khandro Lhamo', 'student-exported', 'Pema Yangzom'],
  ]);
});

test('an export fails before it starts if it cannot be recorded in the audit log', async () => {
  const student = await app.make.student();
  await app.db.execute(sql`alter table audit_log rename to away`);
  const replies = [await teacher.get(ofStudent(student)), await teacher.get(LIBRARY)];
  await app.db.execute(sql`alter table away rename to audit_log`);
  for (const { status, body } of replies)
    expect([status, body]).toEqual([500, { message: expect.stringContaining('went wrong') }]);
});

test('a teacher downloads the library with audio, pictures, words, times and a table', async () => {
  const mine = await startTestApp({ alone: true });
  const client = await mine.as(await mine.make.teacher());
  const sound = createTone(2);
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#722' } })
    .png()
    .toBuffer();
  const level = await mine.make.level('Refuge');
  const added = await client.form('/api/melodies', {
    title: 'Refuge',
    description: 'Sung before every session.',
    transmissionLevelId: level.id,
    vimeoUrl: 'https://example.org/video',
    melodyText: 'Sangye chö\n\nDag ni',
    audioFile: { bytes: sound, name: 'refuge.wav' },
    thumbnail: { bytes: picture, name: 'refuge.png' },
  });
  const { id, thumbnailUrl } = added.body as { id: number; thumbnailUrl: string };
  const timings = JSON.stringify([
    { line: 0, start: 0 },
    { line: 2, start: 1.25 },
  ]);
  await client.form(`/api/melodies/${id}`, { timings }, { method: 'PUT' });
  await mine.make.melody({ title: 'refuge', level: 'Wang (Empowerment)', audio: null });
  await client.form('/api/melodies', { title: 'Words', transmissionLevelId: level.id, melodyText: 'ན་མོ' });

  const { files, names, text } = await download(client, LIBRARY);
  expect(names).toEqual([
    'README.txt',
    'melodies/Words.txt',
    'melodies/Refuge (2).wav',
    'melodies/Refuge (2).webp',
    'melodies/Refuge (2).txt',
    'melodies/Refuge (2).lrc',
    'melodies.csv',
  ]);
  expect(files.get('melodies/Refuge (2).wav')!.bytes.equals(sound)).toBe(true);
  const shown = await client.get(`/api/files/${thumbnailUrl}?type=image`);
  expect(files.get('melodies/Refuge (2).webp')!.bytes.equals(shown.bytes)).toBe(true);
  expect(text('melodies/Refuge (2).txt')).toBe('Sangye chö\n\nDag ni');
  expect(text('melodies/Refuge (2).lrc')).toBe('[ti:Refuge]\n[00:00.00]Sangye chö\n[00:01.25]Dag ni\n');
  const at = expect.stringMatching(/^20[-\d]{8} [\d:]{5} UTC$/);
  expect(rowsIn(text('melodies.csv'))).toEqual([
    ['Words', 'Refuge', '', '', '', at, '', '', 'melodies/Words.txt', ''],
    ['refuge', 'Wang (Empowerment)', '', '', '', at, '', '', '', ''],
    [
      ...['Refuge', 'Refuge', 'Sung before every session.', 'https://example.org/video', '2', at],
      ...['wav', 'webp', 'txt', 'lrc'].map((ending) => `melodies/Refuge (2).${ending}`),
    ],
  ]);
  const bytes = sound.length + shown.bytes.length;
  expect((await client.get(`${LIBRARY}/size`)).body).toEqual({ melodies: 3, bytes });
});

test('the library export contains the original audio even if browsers play a copy', async () => {
  const melody = await app.make.melody({ title: 'With a copy', audio: createTone(2) });
  const copy = await app.make.melody({ title: 'Copy', audio: createTone(1) });
  await app.db.update(melodies).set({ playbackUrl: copy.audioUrl }).where(eq(melodies.id, melody.id));
  const { files } = await download(teacher, LIBRARY);
  expect(files.get('melodies/With a copy.wav')!.bytes.equals(createTone(2))).toBe(true);
});

const pathOf = (name: string) => `${name.slice(0, 2)}/${name}`;

test('an export lists missing and damaged files, and contains the rest', async () => {
  const student = await app.make.student();
  const [whole, changed, missing] = [
    await submit(student, { title: 'Whole', at: '2026-11-20T06:30:00Z' }),
    await submit(student, { title: 'Changed', at: '2026-11-20T06:30:00Z' }),
    await submit(student, { title: 'Missing', at: '2026-11-20T06:30:00Z' }),
  ];
  await app.db.update(recordings).set({ message: 'Stays' }).where(eq(recordings.id, missing.id));
  const damagedBytes = Buffer.from(await app.media.read(pathOf(changed.audioUrl)));
  damagedBytes[damagedBytes.length - 1]! ^= 1;
  await app.media.write(pathOf(changed.audioUrl), damagedBytes);
  await app.media.remove(pathOf(missing.audioUrl));
  const { names, files, text } = await download(await app.as(student), ofStudent(student));
  expect(names).toEqual([
    'README.txt',
    'recordings/2026-11-20 Missing.txt',
    'recordings/2026-11-20 Changed.wav',
    'recordings/2026-11-20 Whole.wav',
    'recordings.csv',
    'missing.txt',
  ]);
  expect(files.get('recordings/2026-11-20 Whole.wav')!.bytes).toEqual(
    await app.media.read(pathOf(whole.audioUrl)),
  );
  expect(text('missing.txt')).toBe(
    'recordings/2026-11-20 Missing.wav: it is damaged on the server.\n' +
      'recordings/2026-11-20 Changed.wav: it is damaged on the server, so it may not play.\n',
  );
  expect(rowsIn(text('recordings.csv')).map((row) => row[5])).toEqual([
    '',
    'recordings/2026-11-20 Changed.wav',
    'recordings/2026-11-20 Whole.wav',
  ]);
});

/** Starts a second server that runs `incident` when the first file is opened. */
async function withIncident(incident: (name: string) => Promise<void> | void) {
  let hasHappened = false;
  return startTestApp({
    alone: true,
    beside: app,
    store: (real) => ({
      ...real,
      async open(name, range) {
        if (!hasHappened) {
          hasHappened = true;
          await incident(name);
        }
        return real.open(name, range);
      },
    }),
  });
}

/** Creates 250 recordings, of which only the last has a file. */
async function manyRecordings() {
  const student = await app.make.student();
  await app.db.execute(sql`
    insert into recordings (title, folded_title, audio_url, duration, student_id, created_at)
    select 'Copy ' || n, 'copy', 'copy-' || n || '.wav', 1, ${student.id}, '2025-01-01' from generate_series(1, 249) n`);
  const last = await submit(student, { title: 'Last' });
  return { student, last };
}

test.each([
  [1, '1 recording was'],
  [3, '3 recordings were'],
])(
  'an export contains each remaining recording once if %i are deleted while it runs',
  async (deleted, were) => {
    const { student } = await manyRecordings();
    const gone = Array.from({ length: deleted }, (_, i) => `Copy ${i + 1}`);
    const other = await withIncident(async () => {
      await app.db.execute(sql`
      delete from recordings where student_id = ${student.id} and title in ${gone}`);
      await submit(student, { title: 'Too late' });
    });
    const { names, text } = await download(await other.as(student), ofStudent(student));
    const titles = rowsIn(text('recordings.csv')).map((row) => row[1]);
    expect(titles).toEqual(['Last', ...Array.from({ length: 249 - deleted }, (_, i) => `Copy ${249 - i}`)]);
    expect(names.filter((name) => name.endsWith('.wav'))).toHaveLength(1);
    const missing = text('missing.txt')!.trimEnd().split('\n');
    expect(missing).toHaveLength(249 - deleted + 1);
    expect(missing.at(-1)).toBe(`${were} deleted while this download was being prepared.`);
  },
);

test('a recording deleted during the export is listed as missing', async () => {
  const student = await app.make.student();
  const at = '2026-11-20T06:30:00Z';
  const early = await submit(student, { title: 'Early', at });
  await submit(student, { title: 'Late', at });
  const own = await app.as(student);
  const other = await withIncident(async () => {
    expect((await own.delete(`/api/recordings/${early.id}`)).status).toBe(200);
  });
  const { names, text } = await download(await other.as(student), ofStudent(student));
  expect(names).toContain('recordings/2026-11-20 Late.wav');
  expect(text('missing.txt')).toBe('recordings/2026-11-20 Early.wav: it has been deleted.\n');
});

describe('failures during an export, after which the browser must not keep a partial file', () => {
  test.each<[string, (stream: Readable) => void]>([
    ['the store fails in the middle of a file', (stream) => stream.destroy(new Error('the cable is out'))],
    ['a file ends too soon', (stream) => stream.push(null)],
  ])('aborts the export when %s', async (_, fail) => {
    const student = await app.make.student();
    await submit(student, { title: 'Song', sound: createTone(60) });
    const other = await startTestApp({
      alone: true,
      beside: app,
      store: (real) => ({
        ...real,
        async open(name, range) {
          const opened = await real.open(name, range);
          opened?.stream.once('data', () => fail(opened.stream));
          return opened;
        },
      }),
    });
    await expect((await other.as(student)).get(ofStudent(student))).rejects.toThrow('terminated');
  });

  test('aborts the export when the S3 store is unreachable', async () => {
    const student = await app.make.student();
    await submit(student, { title: 'Song' });
    const other = await startTestApp({
      alone: true,
      beside: app,
      store: (real) => ({
        ...real,
        open: () => Promise.reject(new AppError('unavailable', 'The store does not answer.')),
      }),
    });
    await expect((await other.as(student)).get(ofStudent(student))).rejects.toThrow('terminated');
  });

  test('aborts the export when the database fails', async () => {
    const { student } = await manyRecordings();
    const other = await withIncident(async () => {
      await app.db.execute(sql`alter table feedback rename to away`);
    });
    const reply = (await other.as(student)).get(ofStudent(student));
    const failure = await reply.then(() => null, String);
    await app.db.execute(sql`alter table away rename to feedback`);
    expect(failure).toContain('terminated');
  });
});

/**
 * Creates three recordings of 9.6 MB each. They don't fit in the kernel's buffers, so the server can't send
 * them to a paused client.
 */
async function withLongRecordings() {
  const student = await app.make.student();
  const sound = createTone(100, 220, 48_000);
  for (const title of ['One', 'Two', 'Three']) await submit(student, { title, sound });
  return { student, length: sound.length * 3 };
}

const listeners: SlowReader[] = [];
afterEach(() => listeners.splice(0).forEach((listener) => listener.leave()));

/** Starts a client that reads the first 200 kB and then pauses. */
async function begin(client: TestClient, path: string) {
  const listener = await openSlowReader(client, path);
  listeners.push(listener);
  await listener.read(200_000);
  return listener;
}

const HOUR = 3_600_000;

describe('exports from another server', async () => {
  const { student, length } = await withLongRecordings();
  const elsewhere = await startTestApp({
    alone: true,
    beside: app,
    limits: { recheckIntervalMs: HOUR, graceMs: HOUR },
  });

  test.each<[string, (client: TestClient) => Promise<unknown>, 'student' | 'teacher']>([
    ['the student has signed out', (client) => here(client).post('/api/logout'), 'student'],
    [
      'the student has signed out everywhere else',
      async () => (await app.as(student)).post('/api/user/sign-out-elsewhere'),
      'student',
    ],
    [
      'the teacher has changed the password',
      async () =>
        (await app.as(another)).post('/api/user/change-password', {
          currentPassword: TEST_PASSWORD,
          newPassword: 'a-lotus-of-my-own',
        }),
      'teacher',
    ],
  ])('another server stops an export once %s', async (_, end, who) => {
    const client = await elsewhere.as(who === 'student' ? student : another);
    const listener = await begin(client, ofStudent(student));
    await end(client);
    const before = listener.received();
    await listener.read(Infinity);
    expect(listener.wasReset(), 'the connection is reset').toBe(true);
    expect(listener.received() - before).toBeLessThan(length / 3);
  });
  const another = await app.make.teacher();

  /** Returns a client of the first server that has the same cookies. */
  function here(client: TestClient) {
    const same = app.visitor();
    client.cookies.forEach((value, name) => same.cookies.set(name, value));
    return same;
  }
});

test('limits concurrent exports per user and across all students', async () => {
  const { student } = await withLongRecordings();
  const streams = new Set<Readable>();
  const few = await startTestApp({
    alone: true,
    beside: app,
    limits: { maxConcurrentExports: 1, maxConcurrentStudentExports: 1 },
    store: (real) => ({
      ...real,
      async open(name, range) {
        const opened = await real.open(name, range);
        if (opened) streams.add(opened.stream.once('close', () => streams.delete(opened.stream)));
        return opened;
      },
    }),
  });
  const [own, hers] = [await few.as(student), await few.as(khandro)];
  const first = await begin(own, ofStudent(student));
  for (const path of [ofStudent(student), `${ofStudent(student)}/size`]) {
    const refused = await own.get(path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(refused.body.message).toContain('Your other downloads');
  }
  // Checks that a running download doesn't count towards the limits of requests and of list queries.
  const lists = Array.from({ length: 6 }, () => own.get('/api/student/recordings'));
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  const third = await few.as(await few.make.student());
  const busy = await third.get(ofStudent(await me(third)));
  expect([busy.status, busy.body.message]).toEqual([503, expect.stringContaining('Several people')]);
  const second = await begin(hers, ofStudent(student));
  expect(streams.size).toBe(2);
  expect((await hers.get(`${LIBRARY}/size`)).status).toBe(429);

  first.leave();
  second.leave();
  await waitFor(() => expect(streams.size).toBe(0));
  await download(third, ofStudent(await me(third)));
  await download(own, ofStudent(student));
});

const me = async (client: TestClient) => (await client.get('/api/user')).body as { id: string };

test('an export disconnects a client that reads nothing for a long time', async () => {
  const { student } = await withLongRecordings();
  const impatient = await startTestApp({ alone: true, beside: app, limits: { stallTimeoutMs: 100 } });
  const listener = await begin(await impatient.as(student), ofStudent(student));
  await untilNoConnection(impatient);
  await listener.read(Infinity);
  expect(listener.wasReset()).toBe(true);
});

const untilNoConnection = ({ app: { server } }: TestApp) =>
  waitFor(async () => {
    const open = await new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
    expect(open).toBe(0);
  });
