import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { openSlowReader } from '#testing/slow-reader.ts';
import { createWav } from '#testing/tone.ts';
import { unzip } from '#testing/unzip.ts';
import { waitForLockWaiters } from '#testing/wait-for.ts';
import type { AuditEntry } from '#features/audit/contract.ts';
import type { TeachingNote } from '../contract.ts';
import type { RequestedAgreement, OwnAgreement } from './contract.ts';
import { MAX_OPEN_AGREEMENT_REQUESTS } from './limits.ts';

const NEVER = 60 * 60 * 1000;
/** Name of the file that stalls after its first chunk. */
let stalled: string | null = null;
const app = await startTestApp({
  alone: true,
  limits: { recheckIntervalMs: NEVER, graceMs: NEVER },
  store: (real) => ({
    ...real,
    async open(name, part) {
      const opened = await real.open(name, part);
      if (!opened || name !== stalled) return opened;
      const { stream } = opened;
      const { Readable } = await import('node:stream');
      const begun = Readable.from(
        (async function* () {
          for await (const chunk of stream) {
            yield chunk as Buffer;
            await new Promise(() => undefined);
          }
        })(),
      );
      return { ...opened, stream: begun };
    },
  }),
});
const khandro = await app.make.teacher({ firstName: 'Khandro', lastName: 'Lhamo' });
const teacher = await app.as(khandro);
const RATE = 32_000;
/** A recording in which each second has a different pitch. */
const sung = createWav(
  6,
  RATE,
  (second) => 9_000 * Math.sin(2 * Math.PI * (200 + 100 * Math.floor(second)) * second),
);
const passageOf = (start: number, end: number) => sung.subarray(44 + start * RATE * 2, 44 + end * RATE * 2);

type Asking = Partial<{
  start: number;
  end: number;
  wantsName: boolean;
  clientId: string;
  noteId: number;
  recordingId: number;
}>;

async function aQuestion(given: { text?: string } = {}) {
  const level = await app.make.level(`Level ${crypto.randomUUID()}`);
  const melody = await app.make.melody({ level: level.name, text: 'one\ntwo', audio: null });
  const student = await app.make.student({ firstName: 'Pema', lastName: 'Choden', levels: [level.name] });
  const other = await app.make.student({ levels: [level.name] });
  const { recording } = await app.services.recordings.submit(
    { title: 'Praise', melodyId: melody.id },
    await app.make.staged(sung),
    { id: student.id, role: 'student' },
  );
  await app.services.feedback.send(
    { recordingId: recording.id, writtenFeedback: 'Good.' },
    undefined,
    khandro,
  );
  const note = await aNote(melody, given.text ?? 'Like this.');
  const ask = (more: Asking = {}) =>
    teacher.post('/api/admin/agreements', {
      ...{ clientId: crypto.randomUUID(), noteId: note.id, recordingId: recording.id },
      ...{ start: 1, end: 3, wantsName: true, ...more },
    });
  const notes = async (by: TestClient) =>
    (await by.get(`/api/melodies/${melody.id}/teaching-notes`)).body as TeachingNote[];
  const [own, listener] = [await app.as(student), await app.as(other)];
  return { level, melody, student, own, other, listener, recording, note, ask, notes };
}

async function aNote(melody: { id: number }, text: string) {
  const body = { clientId: crypto.randomUUID(), line: 0, text };
  const made = await teacher.post(`/api/melodies/${melody.id}/teaching-notes`, body);
  expect(made.status).toBe(201);
  return made.body as TeachingNote;
}

const idOf = async (asked: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await asked;
  expect(status).toBe(201);
  return (body as RequestedAgreement).id;
};
const getWaitingCount = async (by: TestClient) => (await by.get('/api/agreements/waiting')).body;
const listOwnAgreements = async (by: TestClient) => (await by.get('/api/agreements')).body as OwnAgreement[];
const agree = (by: TestClient, id: number, more: object = {}) =>
  by.post(`/api/agreements/${id}/agree`, { signature: 'Pema', withName: true, ...more });
const fileOf = (passage: { audioUrl: string }) => `/api/files/${passage.audioUrl}?type=audio`;

/** Creates a passage that the student has agreed to share. */
async function createAgreement(more: Asking = {}) {
  const question = await aQuestion();
  const id = await idOf(question.ask(more));
  expect((await agree(question.own, id)).status).toBe(200);
  const passage = (await question.notes(question.listener))[0]!.studentPassage!;
  return { ...question, id, passage, file: fileOf(passage) };
}

/** Counts the passage files, in the store and as database rows. */
async function passages() {
  const { rows } = await app.db.execute<{ name: string }>(
    sql`select name from media_files where slot = 'melody-audio' and content_type = 'audio/wav'`,
  );
  const files = new Set(await app.files());
  return { rows: rows.length, files: rows.filter(({ name }) => files.has(name)).length };
}
const auditOf = async (title = 'Praise') =>
  ((await teacher.get('/api/admin/audit-log')).body as AuditEntry[])
    .filter(({ detail }) => detail?.startsWith(title))
    .map(({ actorName, action, subjectName, detail }) => [actorName, action, subjectName, detail]);
const actions = async () => (await auditOf()).map(([, action]) => action);

beforeEach(async () => {
  stalled = null;
  await app.db.execute(sql`delete from audit_log`);
});

test('hearing a passage requires the student’s agreement and access to the melody', async () => {
  const { own, listener, student, recording, note, ask, notes, melody } = await aQuestion();
  const stranger = await app.as(await app.make.student());
  const before = await passages();
  const id = await idOf(ask());
  expect(await listOwnAgreements(own)).toMatchObject([
    {
      ...{ id, recordingId: recording.id, start: 1, end: 3, wantsName: true, state: 'asked', name: null },
      ...{ noteText: 'Like this.', nameToShow: 'Pema Choden', recording: { title: 'Praise' } },
    },
  ]);
  expect(await listOwnAgreements(listener)).toEqual([]);
  expect([await getWaitingCount(own), await getWaitingCount(listener)]).toEqual([{ count: 1 }, { count: 0 }]);
  expect(await notes(listener)).toEqual([note]);
  expect(await passages()).toEqual(before);

  for (const signature of ['', '   ', 7, 'x'.repeat(201), undefined])
    expect((await agree(own, id, { signature })).status).toBe(400);
  expect((await own.post(`/api/agreements/${id}/agree`, { signature: 'Pema' })).status).toBe(400);
  expect((await agree(listener, id)).status).toBe(404);
  expect((await agree(teacher, id)).status).toBe(403);
  expect((await agree(app.visitor(), id)).status).toBe(401);
  expect(await notes(listener)).toEqual([note]);

  await app.untilHeard();
  const [player, page] = [await listener.stream('/api/events'), await own.stream('/api/events')];
  expect((await agree(own, id)).status).toBe(200);
  await expect.poll(() => JSON.stringify(player.events)).toContain('/api/melodies');
  await expect.poll(() => JSON.stringify(page.events)).toContain('/api/agreements');
  for (const stream of [player, page]) await stream.close();
  expect(await listOwnAgreements(own)).toMatchObject([{ id, state: 'agreed', name: 'Pema Choden' }]);
  expect(await getWaitingCount(own)).toEqual({ count: 0 });
  const [heard] = await notes(listener);
  const passage = heard!.studentPassage!;
  expect(heard).toEqual({ ...note, studentPassage: { ...passage, duration: 2, name: 'Pema Choden' } });
  const { bytes, status } = await listener.get(fileOf(passage));
  expect(status).toBe(200);
  expect(bytes.subarray(44).equals(passageOf(1, 3))).toBe(true);
  // Users without access to the melody cannot open the passage, and those with access cannot open the whole
  // recording.
  expect((await stranger.get(fileOf(passage))).status).toBe(404);
  expect((await stranger.get(`/api/melodies/${melody.id}/teaching-notes`)).status).toBe(404);
  expect((await app.visitor().get(fileOf(passage))).status).toBe(401);
  expect((await listener.get(fileOf(recording))).status).toBe(404);
  expect(JSON.stringify(await notes(listener))).not.toContain(recording.audioUrl);
  expect((await listener.get('/api/pack?melodies=&own=yes')).bytes.toString()).not.toContain(
    passage.audioUrl,
  );
  expect(await auditOf()).toEqual([
    ['Pema Choden', 'passage-agreed', 'Pema Choden', 'Praise, 0:01–0:03'],
    ['Khandro Lhamo', 'passage-asked', 'Pema Choden', 'Praise, 0:01–0:03'],
  ]);
  // Agreeing again changes nothing.
  expect((await agree(own, id, { signature: 'Other', withName: false })).status).toBe(200);
  expect(await notes(listener)).toEqual([heard]);
  expect(await auditOf()).toHaveLength(2);
  expect((await teacher.get(`/api/admin/agreements?recordingId=${recording.id}`)).body).toMatchObject([
    { id, noteId: note.id, state: 'agreed', student: { username: student.username } },
  ]);
});

test.each([
  [true, false],
  [false, true],
  [false, false],
])(
  'hides the student’s name unless requested (here: %s) and granted (here: %s)',
  async (wantsName, withName) => {
    const { own, listener, ask, notes } = await aQuestion();
    await agree(own, await idOf(ask({ wantsName })), { withName });
    const heard = JSON.stringify(await notes(listener));
    expect((await notes(listener))[0]!.studentPassage).toMatchObject({ name: null });
    expect(heard).not.toContain('Pema');
  },
);

test('revoking an agreement deletes the passage’s file and cannot be reversed', async () => {
  const { own, listener, other, file, id, ask, notes, note } = await createAgreement();
  const before = await passages();
  expect((await listener.get(file, { headers: { range: 'bytes=0-9' } })).status).toBe(206);
  expect((await (await app.as(other)).post(`/api/agreements/${id}/revoke`)).status).toBe(404);
  expect((await teacher.post(`/api/agreements/${id}/revoke`)).status).toBe(403);
  expect((await listener.get(file)).status).toBe(200);

  const page = await listener.stream('/api/events');
  expect((await own.post(`/api/agreements/${id}/revoke`)).status).toBe(200);
  for (const by of [listener, own, teacher]) {
    expect((await by.get(file)).status).toBe(404);
    expect((await by.get(file, { headers: { range: 'bytes=0-9' } })).status).toBe(404);
  }
  expect(await notes(listener)).toEqual([note]);
  expect(await passages()).toEqual({ rows: before.rows - 1, files: before.files - 1 });
  expect(await listOwnAgreements(own)).toEqual([]);
  await expect.poll(() => JSON.stringify(page.events)).toContain('/api/melodies');
  await page.close();
  expect((await auditOf())[0]).toEqual([
    'Pema Choden',
    'passage-revoked',
    'Pema Choden',
    'Praise, 0:01–0:03',
  ]);

  expect((await own.post(`/api/agreements/${id}/revoke`)).status).toBe(200);
  expect((await agree(own, id)).status).toBe(409);
  expect(await ask()).toMatchObject({ status: 409 });
  expect((await teacher.delete(`/api/admin/agreements/${id}`)).status).toBe(409);
  expect(await auditOf()).toHaveLength(3);
  // The row still has the signature, but not the displayed name.
  expect((await app.db.execute(sql`select signature, name from agreements where id = ${id}`)).rows).toEqual([
    { signature: 'Pema', name: null },
  ]);
});

test('revoking an agreement cuts off a download of the passage', async () => {
  const { own, listener, passage, id, file } = await createAgreement({ start: 0, end: 6 });
  stalled = passage.audioUrl;
  const listening = await openSlowReader(listener, file);
  await listening.read(1_000);
  expect(listening.head()).toMatch(/^HTTP\/1.1 200 /);
  expect((await own.post(`/api/agreements/${id}/revoke`)).status).toBe(200);
  await listening.read(Infinity);
  expect(listening.received()).toBeLessThan(6 * RATE * 2);
  listening.leave();
});

test('after the student declines, nothing is shared and the teacher cannot ask again', async () => {
  const { own, listener, ask, notes, note, other } = await aQuestion();
  const id = await idOf(ask());
  expect((await (await app.as(other)).post(`/api/agreements/${id}/decline`)).status).toBe(404);
  expect((await own.post(`/api/agreements/${id}/revoke`)).status).toBe(409);
  for (let once = 0; once < 2; once += 1)
    expect((await own.post(`/api/agreements/${id}/decline`)).status).toBe(200);
  expect(await listOwnAgreements(own)).toEqual([]);
  expect((await agree(own, id)).status).toBe(409);
  expect(await ask()).toMatchObject({ status: 409 });
  expect((await teacher.delete(`/api/admin/agreements/${id}`)).status).toBe(409);
  expect(await notes(listener)).toEqual([note]);
  expect(await actions()).toEqual(['passage-declined', 'passage-asked']);
  expect((await own.post(`/api/agreements/999999/decline`)).status).toBe(404);
  const agreement = await createAgreement();
  expect((await agreement.own.post(`/api/agreements/${agreement.id}/decline`)).status).toBe(409);
  expect((await agreement.listener.get(agreement.file)).status).toBe(200);
});

test('rejects a question that is invalid, repeated or about an unanswered recording', async () => {
  const { ask, student, melody, own } = await aQuestion();
  const statusOf = async (more: Asking) => (await ask(more)).status;
  for (const wrong of [
    { start: 3, end: 1 },
    { start: 1, end: 1 },
    { start: 1, end: 1.2 },
    { start: 0, end: 31 },
    { start: 5.8, end: 7 },
    { start: 100, end: 110 },
    { start: -1, end: 2 },
  ])
    expect(await statusOf(wrong), JSON.stringify(wrong)).toBe(400);
  expect(await statusOf({ noteId: 999_999 })).toBe(404);
  expect(await statusOf({ recordingId: 999_999 })).toBe(404);
  const elsewhere = await aQuestion();
  expect(await statusOf({ noteId: elsewhere.note.id })).toBe(409);
  const pending = await app.make.recording({ student, melodyId: melody.id, seconds: 4 });
  expect(await statusOf({ recordingId: pending.id })).toBe(409);
  expect(await listOwnAgreements(own)).toEqual([]);

  const clientId = crypto.randomUUID();
  const both = await Promise.all([ask({ clientId }), ask({ clientId })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
  expect(both[0].body).toEqual(both[1].body);
  expect(await statusOf({ clientId })).toBe(200);
  expect(await statusOf({})).toBe(409);
  const second = await app.make.feedback({ student, melodyId: melody.id });
  expect(await statusOf({ recordingId: second.recordingId, start: 0, end: 1 })).toBe(409);
  expect(await listOwnAgreements(own)).toHaveLength(1);
  expect(await auditOf()).toHaveLength(1);
  // After the teacher withdraws the question, she can ask about another recording.
  const [{ id }] = (await listOwnAgreements(own)) as [OwnAgreement];
  expect((await teacher.delete(`/api/admin/agreements/${id}`)).status).toBe(200);
  expect((await teacher.delete(`/api/admin/agreements/${id}`)).status).toBe(404);
  expect((await agree(own, id)).status).toBe(404);
  expect(await statusOf({ recordingId: second.recordingId, start: 0, end: 1 })).toBe(201);

  for (let more = 1; more < MAX_OPEN_AGREEMENT_REQUESTS; more += 1)
    expect(await statusOf({ noteId: (await aNote(melody, 'More.')).id })).toBe(201);
  expect(await statusOf({ noteId: (await aNote(melody, 'More.')).id })).toBe(409);
  await app.make.disable(elsewhere.student);
  expect(await elsewhere.ask()).toMatchObject({ status: 409 });
});

test('a question hides the note’s words after the student loses access to the melody', async () => {
  const { own, ask, level, student } = await aQuestion();
  await ask();
  const access = `/api/admin/users/${student.id}/transmission-access/${level.id}`;
  expect((await teacher.delete(access)).status).toBe(200);
  expect(await listOwnAgreements(own)).toMatchObject([{ noteText: null }]);
});

test('rejects an agreement if the note has changed since the student read it', async () => {
  const { own, note, ask } = await aQuestion();
  const id = await idOf(ask());
  const read = { noteText: 'Like this.' };
  await teacher.put(`/api/teaching-notes/${note.id}`, { line: 0, text: 'Not like this.' });
  const refused = await agree(own, id, read);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    'The note has changed. Please read it again.',
  ]);
  expect(await listOwnAgreements(own)).toMatchObject([{ state: 'asked', noteText: 'Not like this.' }]);
  expect((await agree(own, id, { noteText: 'Not like this.' })).status).toBe(200);
  expect(await listOwnAgreements(own)).toMatchObject([{ state: 'agreed' }]);
});

test('a passage is hidden while its student is disabled, and deleted with the student', async () => {
  const before = await passages();
  const first = await createAgreement();
  const status = `/api/admin/users/${first.student.id}/status`;
  await app.untilHeard();
  const player = await first.listener.stream('/api/events');
  const toldOfMelodies = () =>
    expect.poll(() => JSON.stringify(player.events.splice(0)), { interval: 20 }).toContain('/api/melodies');
  expect((await teacher.put(status, { isActive: false })).status).toBe(200);
  await toldOfMelodies();
  for (const by of [first.listener, teacher]) expect((await by.get(first.file)).status).toBe(404);
  expect(await first.notes(first.listener)).toEqual([first.note]);
  await teacher.put(status, { isActive: true });
  await toldOfMelodies();
  await player.close();
  expect((await first.listener.get(first.file)).status).toBe(200);

  const page = await first.listener.stream('/api/events');
  expect((await teacher.delete(`/api/admin/users/${first.student.id}`)).status).toBe(200);
  await expect.poll(() => JSON.stringify(page.events)).toContain('/api/melodies');
  await page.close();
  expect(await first.notes(first.listener)).toEqual([first.note]);
  expect((await first.listener.get(first.file)).status).toBe(404);
  expect(await passages()).toEqual(before);
});

test('deleting a note deletes its passage', async () => {
  const before = await passages();
  const second = await createAgreement();
  expect((await teacher.delete(`/api/teaching-notes/${second.note.id}`)).status).toBe(200);
  expect((await second.listener.get(second.file)).status).toBe(404);
  expect(await listOwnAgreements(second.own)).toEqual([]);
  expect(await passages()).toEqual(before);
});

test('deleting the melody or the agreement deletes the file of the passage', async () => {
  const before = await passages();
  const third = await createAgreement();
  expect((await teacher.delete(`/api/melodies/${third.melody.id}`)).status).toBe(200);
  expect((await third.listener.get(third.file)).status).toBe(404);

  const fourth = await createAgreement();
  expect((await teacher.delete(`/api/admin/agreements/${fourth.id}`)).status).toBe(200);
  expect((await fourth.listener.get(fourth.file)).status).toBe(404);
  expect(await passages()).toEqual(before);
});

test('a listener whose level is revoked can no longer open the passage', async () => {
  const { level, other, listener, file } = await createAgreement();
  expect((await teacher.delete(`/api/admin/users/${other.id}/transmission-access/${level.id}`)).status).toBe(
    200,
  );
  expect((await listener.get(file)).status).toBe(404);
});

test('concurrent requests to agree create one passage and one audit entry', async () => {
  const { own, ask, listener, notes } = await aQuestion();
  const before = await passages();
  const id = await idOf(ask());
  const both = await Promise.all([agree(own, id), agree(own, id), agree(own, id)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await passages()).toEqual({ rows: before.rows + 1, files: before.files + 1 });
  expect((await listener.get(fileOf((await notes(listener))[0]!.studentPassage!))).status).toBe(200);
  expect(await auditOf()).toHaveLength(2);
});

describe.each<
  [string, (of: Awaited<ReturnType<typeof aQuestion>>, id: number) => Promise<{ status: number }>]
>([
  ['the question is withdrawn', (_, id) => teacher.delete(`/api/admin/agreements/${id}`)],
  ['the student declines on another device', ({ own }, id) => declineOrRevoke(own, id)],
  ['the note is deleted', ({ note }) => teacher.delete(`/api/teaching-notes/${note.id}`)],
  ['the student is deleted', ({ student }) => teacher.delete(`/api/admin/users/${student.id}`)],
  ['the melody is deleted', ({ melody }) => teacher.delete(`/api/melodies/${melody.id}`)],
])('agreeing while %s', (_, end) => {
  test.each(['the other call', 'the agreement'])('leaves no passage if %s comes first', async (first) => {
    const question = await aQuestion();
    const before = await passages();
    const id = await idOf(question.ask());
    const inTurn = [() => end(question, id), () => agree(question.own, id)];
    if (first !== 'the other call') inTurn.reverse();
    const calls = await app.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from agreements where id = ${id} for update`);
      const begun: Promise<{ status: number }>[] = [];
      for (const [at, call] of inTurn.entries()) {
        begun.push(call());
        await waitForLockWaiters(app.db, at + 1);
      }
      return begun;
    });
    const [one, other] = await Promise.all(calls);
    expect(one!.status).toBe(200);
    expect([200, 404, 409, 401]).toContain(other!.status);
    expect(await passages()).toEqual(before);
  });
});

/** Declines the question, or revokes the agreement if there is one. */
async function declineOrRevoke(by: TestClient, id: number) {
  const declined = await by.post(`/api/agreements/${id}/decline`);
  return declined.status === 409 ? by.post(`/api/agreements/${id}/revoke`) : declined;
}

test('agreeing to share a damaged recording fails and leaves the question open', async () => {
  const { own, ask, recording, listener, notes, note } = await aQuestion();
  const id = await idOf(ask());
  await app.db.execute(sql`update media_files set sha256 = 'other' where name = ${recording.audioUrl}`);
  expect((await agree(own, id)).status).toBe(503);
  expect(await listOwnAgreements(own)).toMatchObject([{ id, state: 'asked' }]);
  expect(await notes(listener)).toEqual([note]);
});

test('a student’s export includes the questions about sharing and the answers', async () => {
  const { own, student, id } = await createAgreement();
  await own.post(`/api/agreements/${id}/revoke`);
  const files = await unzip((await own.get(`/api/users/${student.id}/export`)).bytes);
  const table = files.get('agreements.csv')!.bytes.toString('utf8');
  expect(table).toMatch(/"Praise","0:01–0:03","yes","revoked","[^"]+UTC","Pema",,"[^"]+UTC"/);
  const another = await app.make.student();
  const theirs = await unzip((await (await app.as(another)).get(`/api/users/${another.id}/export`)).bytes);
  expect(theirs.has('agreements.csv')).toBe(false);
});
