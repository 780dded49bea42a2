import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';
import { waitFor } from '#testing/wait-for.ts';
import { allEndpoints } from '#app/api.ts';
import { unzip } from '#testing/unzip.ts';
import type { HeldFeedback } from './contract.ts';
import { MAX_HELD_REPLIES, MAX_UNDO_WINDOW_SECONDS, MAX_MARKS, SENDING_CANCELLED_MESSAGE } from './limits.ts';

const app = await startTestApp({ environment: { SMTP_URL: 'smtp://127.0.0.1:1' } });
const elsewhere = await startTestApp({ beside: app, environment: { SMTP_URL: 'smtp://127.0.0.1:1' } });
const me = await app.make.teacher();
const teacher = await app.as(me);
const createVoiceFile = () => ({ bytes: createTone(2), name: 'reply.wav', type: 'audio/wav' });
const marks = [{ start: 0.5, end: 1, text: 'Softer' }];
const HELD = '/api/admin/feedback/held';
const held = app.services.feedback.held;

beforeEach(async () => {
  app.clock.reset();
  elsewhere.clock.reset();
  await app.db.execute(sql`delete from held_feedback`);
});

type Parts = Parameters<TestClient['form']>[1];
const hold = (recordingId: number, parts: Parts = {}, by: TestClient = teacher) =>
  by.form('/api/feedback', { recordingId, writtenFeedback: ' Slower. ', holdSeconds: 10, ...parts });

/** Advances the clocks of both processes by ten seconds and releases the feedback that is due. */
async function releaseHeldFeedback() {
  app.clock.advance(10_000);
  elsewhere.clock.set(app.clock.now());
  await Promise.all([held.releaseDue(), elsewhere.services.feedback.held.releaseDue()]);
}

const readStudentView = async (client: TestClient, recordingId: number) => ({
  given: (await client.get('/api/feedback')).body as unknown[],
  unread: (await client.get('/api/feedback/unread-count')).body as unknown,
  newest: (await client.get('/api/feedback/newest-unread')).body as unknown,
  recordings: (await client.get('/api/student/recordings')).body as unknown[],
  thread: (await client.get(`/api/recordings/${recordingId}/thread`)).body as unknown,
  latest: (await client.get(`/api/recordings/${recordingId}/latest-feedback`)).body as unknown,
  pack: (await client.get('/api/pack')).body as unknown,
});

test('held feedback reaches the student only after its release, with one notification', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  const recording = await app.make.recording({ student, seconds: 3 });
  const stream = await client.stream('/api/events');
  const archive = async () =>
    Number(((await client.get(`/api/users/${student.id}/export/size`)).body as { bytes: number }).bytes);
  const [before, sizeBefore, mailsBefore] = [
    await readStudentView(client, recording.id),
    await archive(),
    await app.count('mails'),
  ];
  await app.untilHeard();
  stream.events.length = 0;

  // Stops the clock, so that the calls below do not use up the undo window.
  app.clock.set(new Date());
  const sent = await hold(recording.id, { audioFeedback: createVoiceFile(), marks: JSON.stringify(marks) });
  expect([sent.status, sent.body]).toEqual([
    202,
    {
      recordingId: recording.id,
      writtenFeedback: ' Slower. ',
      marks,
      voices: [],
      audioFeedbackUrl: expect.stringMatching(/\.wav$/) as string,
      audioFeedbackDuration: 2,
      peaks: expect.any(String) as string,
      secondsLeft: expect.any(Number) as number,
    },
  ]);
  const file = `/api/files/${(sent.body as { audioFeedbackUrl: string }).audioFeedbackUrl}?type=audio`;
  expect(await readStudentView(client, recording.id)).toEqual(before);
  expect(await archive()).toBe(sizeBefore);
  expect(await app.count('mails')).toBe(mailsBefore);
  const others = [client, await app.as(await app.make.student()), app.visitor()];
  const statuses = await Promise.all(others.map(async (each) => (await each.get(file)).status));
  expect(statuses).toEqual([404, 404, 401]);
  expect((await teacher.get(file)).status).toBe(200);
  expect((await teacher.get(`/api/admin/recordings/${recording.id}/feedback`)).status).toBe(404);
  expect((await teacher.get('/api/admin/feedback?q=slower')).body).toEqual([]);

  // Advances to one second before the feedback is due.
  app.clock.advance(9_000);
  await held.releaseDue();
  expect(await readStudentView(client, recording.id)).toEqual(before);
  // Events arrive in order, so any event about the feedback would arrive before the event for this new
  // recording.
  await app.make.recording({ student });
  await waitFor(() => expect(stream.events.length).toBeGreaterThan(0));
  expect(JSON.stringify(stream.events)).not.toContain('"/api/feedback"');
  app.clock.reset();
  await releaseHeldFeedback();
  const after = await readStudentView(client, recording.id);
  expect(after.given).toMatchObject([{ writtenFeedback: 'Slower.', marks, audioFeedbackDuration: 2 }]);
  expect(after.unread).toEqual({ count: 1 });
  expect((await client.get(file)).status).toBe(200);
  expect(await app.count('mails')).toBe(mailsBefore + 1);
  await waitFor(() => expect(JSON.stringify(stream.events)).toContain('"/api/feedback"'));
  expect((await teacher.get(HELD)).body).toEqual([]);
  await stream.close();
});

describe('endpoints that students may read', () => {
  const STREAM = '/api/events';
  const read = allEndpoints.filter(
    ({ method, access, path }) =>
      method === 'GET' && ['student', 'signed-in'].includes(access) && path !== STREAM,
  );

  /** Holds a reply that contains text, audio and a mark with a voice comment. */
  async function holdEverything() {
    const level = await app.make.level(`Level ${crypto.randomUUID()}`);
    const student = await app.make.student({ levels: [level.name] });
    const melody = await app.make.melody({ level: level.name });
    const recording = await app.make.recording({ student, melodyId: melody.id, seconds: 3 });
    const voice = crypto.randomUUID();
    const bytes = createTone(1);
    await teacher.put(`/api/uploads/${voice}`, { size: bytes.length });
    await teacher.patch(`/api/uploads/${voice}?start=0`, bytes);
    const sent = await hold(recording.id, {
      writtenFeedback: 'Words of the reply',
      audioFeedback: createVoiceFile(),
      marks: JSON.stringify([{ start: 1, end: null, text: 'Words of a mark', voice }]),
    });
    expect(sent.status).toBe(202);
    const { audioFeedbackUrl, voices } = sent.body as HeldFeedback;
    return {
      student,
      ids: [recording.id, melody.id, student.id],
      voice,
      files: [audioFeedbackUrl!, voices[0]!.audioUrl],
    };
  }

  /** Returns the paths of the endpoints that show the student any part of the reply. */
  async function whereShown({ student, ids, voice, files }: Awaited<ReturnType<typeof holdEverything>>) {
    const client = await app.as(student);
    const found = new Set<string>();
    for (const { path } of read)
      for (const value of path.includes('{name}') ? files : path.includes('{id}') ? ids : [voice]) {
        const query =
          path === '/api/pack' ? '?melodies=&own=yes' : path === '/api/files/{name}' ? '?type=audio' : '';
        const reply = await client.get(path.replace(/\{\w+\}/, String(value)) + query);
        const isZip = reply.headers.get('content-type') === 'application/zip';
        const parts = isZip ? [...(await unzip(reply.bytes)).values()] : [reply];
        const isSound = path === '/api/files/{name}' && reply.status === 200;
        const names = ['Words of the reply', 'Words of a mark', ...files];
        if (isSound || parts.some(({ bytes }) => names.some((name) => bytes.includes(name)))) found.add(path);
      }
    return [...found].sort();
  }

  test('student endpoints return held feedback only after its release', async () => {
    // Stops the clock, so that the calls below do not use up the undo window.
    app.clock.set(new Date());
    const reply = await holdEverything();
    expect(await whereShown(reply)).toEqual([]);
    app.clock.advance(9_000);
    await held.releaseDue();
    expect(await whereShown(reply)).toEqual([]);
    await releaseHeldFeedback();
    expect(await whereShown(reply)).toEqual([
      '/api/feedback',
      '/api/files/{name}',
      '/api/pack',
      '/api/recordings/{id}/latest-feedback',
      '/api/recordings/{id}/thread',
      '/api/users/{id}/export',
    ]);
  });

  test('student endpoints never return feedback that was undone', async () => {
    const reply = await holdEverything();
    expect((await teacher.delete(`${HELD}/${reply.ids[0]}`)).status).toBe(200);
    await releaseHeldFeedback();
    expect(await whereShown(reply)).toEqual([]);
  });
});

test('undo returns the whole held reply and deletes its row and files', async () => {
  const student = await app.make.student();
  const recording = await app.make.recording({ student, seconds: 3 });
  const files = (await app.files()).length;
  const sent = await hold(recording.id, { audioFeedback: createVoiceFile(), marks: JSON.stringify(marks) });
  expect(await app.files()).toHaveLength(files + 1);
  expect((await teacher.get(HELD)).body).toMatchObject([{ recordingId: recording.id }]);
  const back = await teacher.delete(`${HELD}/${recording.id}`);
  expect(back.status).toBe(200);
  expect({ ...back.body, secondsLeft: 0 }).toEqual({ ...sent.body, secondsLeft: 0 });
  const drafts = await teacher.get(`/api/admin/feedback-drafts?recordingId=${recording.id}`);
  expect(drafts.body).toMatchObject([{ text: ' Slower. ', marks }]);
  expect(await app.files()).toHaveLength(files);
  await releaseHeldFeedback();
  expect((await (await app.as(student)).get('/api/feedback')).body).toEqual([]);
  expect(await app.count('held_feedback')).toBe(0);
  // The reply can be sent again.
  expect((await hold(recording.id)).status).toBe(202);
});

test('undo with keepsDraft=false does not create a draft', async () => {
  const recording = await app.make.recording();
  await hold(recording.id);
  expect((await teacher.delete(`${HELD}/${recording.id}?keepsDraft=false`)).status).toBe(200);
  const drafts = await teacher.get(`/api/admin/feedback-drafts?recordingId=${recording.id}`);
  expect(drafts.body).toEqual([]);
});

test('undo merges the feedback into a draft that another browser has saved', async () => {
  const recording = await app.make.recording();
  const draft = `/api/admin/recordings/${recording.id}/draft`;
  const [sent, begun] = [marks[0]!, { ...marks[0]!, text: 'Breathe here' }];
  const takenBackTo = async (text: string) => {
    await hold(recording.id, { writtenFeedback: 'Slower.', marks: JSON.stringify([sent]) });
    const { body } = await teacher.put(draft, { text, marks: [sent, begun] });
    expect((await teacher.delete(`${HELD}/${recording.id}`)).status).toBe(200);
    const [there] = (await teacher.get(`/api/admin/feedback-drafts?recordingId=${recording.id}`)).body;
    expect(there.marks).toHaveLength(2);
    expect(there.marks).toEqual(expect.arrayContaining([sent, begun]));
    expect(there.revision, 'the other browser gets a new revision').not.toBe(body.revision);
    return there.text;
  };
  expect(await takenBackTo('And higher.')).toBe('Slower.\n\nAnd higher.');
  expect(await takenBackTo('')).toBe('Slower.');
});

test('undo does not change a draft that already contains the feedback', async () => {
  const recording = await app.make.recording({ seconds: 3 });
  const sent = { ...marks[0]!, melodyAt: 0 };
  await hold(recording.id, { writtenFeedback: 'Slower.', marks: JSON.stringify([sent]) });
  // If the response to sending was lost, the form still contains the reply and saves it as a draft.
  const draft = { text: 'Slower. ', marks: [{ ...marks[0]!, text: 'Softer ' }] };
  const { body } = await teacher.put(`/api/admin/recordings/${recording.id}/draft`, draft);
  expect((await teacher.delete(`${HELD}/${recording.id}`)).status).toBe(200);
  const drafts = await teacher.get(`/api/admin/feedback-drafts?recordingId=${recording.id}`);
  expect(drafts.body).toMatchObject([{ ...draft, revision: body.revision }]);
});

test('undo turns a stored draft’s marks into text if merging gives too many marks', async () => {
  const recording = await app.make.recording({ seconds: 30 });
  const many = (text: string) =>
    Array.from({ length: MAX_MARKS - 50 }, (_, i) => ({ start: i / 10, end: null, text: `${text} ${i}` }));
  await hold(recording.id, { marks: JSON.stringify(many('Softer')) });
  const begun = { text: 'And higher.', marks: many('Rise') };
  await teacher.put(`/api/admin/recordings/${recording.id}/draft`, begun);
  expect((await teacher.delete(`${HELD}/${recording.id}`)).status).toBe(200);
  const { status, body } = await teacher.get(`/api/admin/feedback-drafts?recordingId=${recording.id}`);
  expect(status).toBe(200);
  expect(body[0].marks).toEqual(many('Softer'));
  expect(body[0].text).toMatch(/^ Slower\.\n\nAnd higher\.\n\n0:00 – Rise 0\n/);
  expect(body[0].text).toContain(`– Rise ${MAX_MARKS - 51}`);
});

describe('a late duplicate of a call', () => {
  const clientId = () => crypto.randomUUID();
  const took = async (recordingId: number) =>
    expect((await teacher.delete(`${HELD}/${recordingId}`)).status).toBe(200);

  test.each([
    ['with holdSeconds', { holdSeconds: 10 }],
    ['without holdSeconds', {}],
  ])('rejects a late duplicate of a reply after undo (%s)', async (_, how) => {
    const recording = await app.make.recording({ seconds: 3 });
    const sent = { recordingId: recording.id, clientId: clientId(), audioFeedback: createVoiceFile() };
    await hold(recording.id, sent);
    await took(recording.id);
    const late = await teacher.form('/api/feedback', { ...sent, ...how });
    expect([late.status, late.body.message]).toEqual([409, SENDING_CANCELLED_MESSAGE]);
    expect(await app.count('held_feedback')).toBe(0);
    expect((await teacher.get(`/api/admin/recordings/${recording.id}/feedback`)).status).toBe(404);
  });

  test('rejects duplicates of superseded replies after the newest reply was undone', async () => {
    const recording = await app.make.recording();
    const [first, lost, last] = [clientId(), clientId(), clientId()];
    await hold(recording.id, { clientId: first });
    await hold(recording.id, { clientId: last, supersedes: `${first},${lost}` });
    await took(recording.id);
    for (const key of [first, lost, last])
      expect((await hold(recording.id, { clientId: key })).status).toBe(409);
  });

  test('a duplicate call that arrives during undo does not hold the reply again', async () => {
    for (let round = 0; round < 6; round += 1) {
      const recording = await app.make.recording();
      const key = clientId();
      await hold(recording.id, { clientId: key });
      const again = () => hold(recording.id, { clientId: key });
      const calls = round % 2 === 0 ? [took(recording.id), again()] : [again(), took(recording.id)];
      await Promise.all(calls);
      expect(await app.count('held_feedback')).toBe(0);
    }
  });

  test('a recording can be answered again after undo', async () => {
    const recording = await app.make.recording();
    await hold(recording.id, { clientId: clientId() });
    await took(recording.id);
    expect((await hold(recording.id, { clientId: clientId() })).status).toBe(202);
  });
});

test('rejects undo by another teacher and undo after the release', async () => {
  const recording = await app.make.recording();
  const other = await app.as(await app.make.teacher());
  await hold(recording.id);
  expect((await other.delete(`${HELD}/${recording.id}`)).status).toBe(404);
  expect((await other.get(HELD)).body).toEqual([]);
  expect((await teacher.get(HELD)).body).toHaveLength(1);
  await releaseHeldFeedback();
  const late = await teacher.delete(`${HELD}/${recording.id}`);
  expect([late.status, late.body.message]).toEqual([404, 'This feedback has already been sent.']);
});

test('if release and undo of a reply run concurrently, exactly one succeeds', async () => {
  for (let round = 0; round < 6; round += 1) {
    const student = await app.make.student();
    const recording = await app.make.recording({ student });
    await hold(recording.id);
    const takeBack = () =>
      held.undo(recording.id, me).then(
        () => 200,
        ({ code }: { code: string }) => code,
      );
    const release = () =>
      Promise.all([held.release(recording.id), elsewhere.services.feedback.held.release(recording.id)]);
    // Undo is called first in even rounds, and release in odd rounds.
    const both = round % 2 === 0 ? [takeBack(), release()] : [release(), takeBack()];
    const back = (await Promise.all(both))[round % 2];
    const client = await app.as(student);
    const given = (await client.get('/api/feedback')).body as unknown[];
    const [{ status }] = (await client.get('/api/student/recordings')).body as [{ status: string }];
    expect([back, given.length, status]).toEqual(
      back === 200 ? [200, 0, 'pending'] : ['not-found', 1, 'reviewed'],
    );
  }
});

test('holds a repeated reply once and rejects other replies to the recording', async () => {
  const recording = await app.make.recording();
  const clientId = crypto.randomUUID();
  const other = await app.as(await app.make.teacher());
  const twice = await Promise.all([hold(recording.id, { clientId }), hold(recording.id, { clientId })]);
  expect(twice.map(({ status }) => status)).toEqual([202, 202]);
  for (const again of [
    hold(recording.id, { clientId: crypto.randomUUID() }),
    hold(recording.id, {}, other),
    hold(recording.id, { holdSeconds: '' }, other),
    teacher.form('/api/feedback', { recordingId: recording.id, writtenFeedback: 'At once' }),
    other.form('/api/feedback', { recordingId: recording.id, writtenFeedback: 'At once' }),
  ])
    expect([400, 409]).toContain((await again).status);
  expect(await app.count('held_feedback')).toBe(1);
  // A held reply that is sent again without `holdSeconds` is released immediately.
  const now = await teacher.form('/api/feedback', {
    recordingId: recording.id,
    writtenFeedback: ' Slower. ',
    clientId,
  });
  expect([now.status, now.body.writtenFeedback]).toEqual([201, 'Slower.']);
  await releaseHeldFeedback();
  expect(await app.count('held_feedback')).toBe(0);
});

test('superseding a held reply deletes its audio and releases only the new reply', async () => {
  const student = await app.make.student();
  const recording = await app.make.recording({ student });
  const [first, second, third] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const files = (await app.files()).length;
  await hold(recording.id, { clientId: first, audioFeedback: createVoiceFile() });
  const next = await hold(recording.id, { clientId: second, supersedes: first, writtenFeedback: 'Softer.' });
  expect([next.status, next.body.audioFeedbackUrl]).toEqual([202, null]);
  expect(await app.files()).toHaveLength(files);
  const now = await teacher.form('/api/feedback', {
    ...{ recordingId: recording.id, clientId: third, supersedes: second, writtenFeedback: 'Lower.' },
  });
  expect(now.status).toBe(201);
  await releaseHeldFeedback();
  expect((await (await app.as(student)).get('/api/feedback')).body).toMatchObject([
    { writtenFeedback: 'Lower.' },
  ]);
});

test('deleting a recording or a student deletes the held feedback and its audio', async () => {
  const files = (await app.files()).length;
  const student = await app.make.student();
  const [one, other] = [await app.make.recording({ student }), await app.make.recording({ student })];
  for (const { id } of [one, other]) await hold(id, { audioFeedback: createVoiceFile() });
  expect((await (await app.as(student)).delete(`/api/recordings/${one.id}`)).status).toBe(200);
  expect(await app.count('held_feedback')).toBe(1);
  expect((await teacher.delete(`/api/admin/users/${student.id}`)).status).toBe(200);
  expect(await app.count('held_feedback')).toBe(0);
  expect(await app.files()).toHaveLength(files);
  await releaseHeldFeedback();
});

test('a failed release is retried later and does not block other releases', async () => {
  const student = await app.make.student();
  const [one, other] = [await app.make.recording({ student }), await app.make.recording({ student })];
  await hold(one.id);
  await hold(other.id);
  await app.db.execute(sql`create function fail() returns trigger language plpgsql as $$ begin
    if new.recording_id = ${sql.raw(String(one.id))} then raise exception 'not now'; end if; return new; end $$`);
  await app.db.execute(
    sql`create trigger fail before insert on feedback for each row execute function fail()`,
  );
  await releaseHeldFeedback();
  const given = async () =>
    ((await (await app.as(student)).get('/api/feedback')).body as { recordingId: number }[]).map(
      ({ recordingId }) => recordingId,
    );
  expect(await given()).toEqual([other.id]);
  await app.db.execute(sql`drop trigger fail on feedback; drop function fail()`);
  app.clock.advance(30_000);
  await releaseHeldFeedback();
  expect((await given()).toSorted()).toEqual([one.id, other.id].toSorted());
});

test('held feedback is released after a restart', async () => {
  const student = await app.make.student();
  const recording = await app.make.recording({ student });
  await hold(recording.id);
  elsewhere.clock.set(new Date(Date.now() + 11_000));
  elsewhere.services.heldWorker.start();
  const client = await app.as(student);
  await waitFor(async () => expect((await client.get('/api/feedback')).body).toHaveLength(1));
  await elsewhere.services.heldWorker.stop();
});

describe('limits', () => {
  test.each([0, -1, MAX_UNDO_WINDOW_SECONDS + 1, 1.5, 'ten', ''])(
    'rejects a hold of %j seconds',
    async (holdSeconds) => {
      const recording = await app.make.recording();
      expect((await hold(recording.id, { holdSeconds })).status).toBe(400);
    },
  );

  test('releases a reply immediately if the admin has the maximum number of held replies', async () => {
    const student = await app.make.student();
    for (let count = 0; count < MAX_HELD_REPLIES; count += 1)
      expect((await hold((await app.make.recording({ student })).id)).status).toBe(202);
    expect((await hold((await app.make.recording({ student })).id)).status).toBe(201);
    expect((await teacher.get(HELD)).body).toHaveLength(MAX_HELD_REPLIES);
  });

  test('does not hold a reply that is empty or contains a file that is not audio', async () => {
    const recording = await app.make.recording();
    expect((await hold(recording.id, { writtenFeedback: ' ' })).status).toBe(400);
    const noSound = { bytes: new TextEncoder().encode('<html>'), name: 'reply.wav', type: 'audio/wav' };
    expect((await hold(recording.id, { audioFeedback: noSound })).status).toBe(415);
    expect(await app.count('held_feedback')).toBe(0);
  });
});

describe('snoozing recordings', () => {
  const ASIDE = '/api/admin/feedback/put-aside';
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  test('a teacher can change and end a snooze, which nobody else sees', async () => {
    const student = await app.make.student();
    const recording = await app.make.recording({ student });
    const path = `/api/admin/recordings/${recording.id}/put-aside`;
    const other = await app.as(await app.make.teacher());
    const seen = await readStudentView(await app.as(student), recording.id);
    for (const until of [inDays(1), inDays(7)]) {
      expect((await teacher.put(path, { until })).status).toBe(200);
      expect((await teacher.get(ASIDE)).body).toEqual([{ recordingId: recording.id, until }]);
    }
    expect((await other.get(ASIDE)).body).toEqual([]);
    expect(await readStudentView(await app.as(student), recording.id)).toEqual(seen);
    expect((await other.get('/api/admin/pending-recordings/count')).body).toEqual(
      (await teacher.get('/api/admin/pending-recordings/count')).body,
    );
    expect((await teacher.put(path, { until: null })).status).toBe(200);
    expect((await teacher.get(ASIDE)).body).toEqual([]);
  });

  test('rejects a snooze with an invalid date or for an answered or unknown recording', async () => {
    const recording = await app.make.recording();
    const path = (id: number) => `/api/admin/recordings/${id}/put-aside`;
    for (const until of [inDays(-1), inDays(400), 'tomorrow', 5])
      expect((await teacher.put(path(recording.id), { until })).status).toBe(400);
    expect((await teacher.put(path(999_999), { until: inDays(1) })).status).toBe(404);
    await teacher.put(path(recording.id), { until: inDays(1) });
    await teacher.form('/api/feedback', { recordingId: recording.id, writtenFeedback: 'Heard.' });
    expect((await teacher.get(ASIDE)).body).toEqual([]);
    expect((await teacher.put(path(recording.id), { until: inDays(1) })).status).toBe(404);
  });
});
