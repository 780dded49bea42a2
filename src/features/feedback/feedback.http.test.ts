import { expect, test } from 'vitest';
import { startTestApp } from '../../testing/app.ts';
import { tone } from '../../testing/tone.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const spoken = { bytes: tone(2), name: 'reply.wav', type: 'audio/wav' };
const pendingIds = async () =>
  ((await teacher.get('/api/recordings/pending')).body as { id: number }[]).map((recording) => recording.id);

test('the teacher answers in writing and in voice; the student reads, hears and integrates it', async () => {
  const student = await app.make.student({ firstName: 'Tashi', lastName: 'Dolma' });
  const browser = await app.as(student);
  const recording = await app.make.recording({ student, title: 'Refuge', message: 'Slower?' });

  const sent = await teacher.form('/api/feedback', {
    recordingId: recording.id,
    writtenFeedback: ' Beautiful breath.\nLet it fall on “kyab”. ',
    audioFeedback: spoken,
  });
  expect(sent.status).toBe(201);
  expect(sent.body).toMatchObject({
    recordingId: recording.id,
    recording: { id: recording.id, title: 'Refuge', message: 'Slower?', student: { firstName: 'Tashi' } },
    writtenFeedback: 'Beautiful breath.\nLet it fall on “kyab”.',
    audioFeedbackUrl: expect.stringMatching(/\.wav$/),
    audioFeedbackDuration: 2,
    status: 'unread',
    correctedAt: null,
  });
  expect(await pendingIds()).not.toContain(recording.id);
  expect((await browser.get('/api/student/recordings')).body).toMatchObject([{ status: 'reviewed' }]);
  expect((await browser.get('/api/feedback')).body).toEqual([sent.body]);
  expect((await browser.get('/api/feedback/unread-count')).body).toEqual({ count: 1 });

  const status = `/api/feedback/${sent.body.id}/status`;
  expect((await browser.patch(status, { status: 'read' })).body).toEqual({ ...sent.body, status: 'read' });
  expect((await browser.get('/api/feedback/unread-count')).body).toEqual({ count: 0 });
  expect((await browser.patch(status, { status: 'integrated' })).body.status).toBe('integrated');
  expect((await browser.patch(status, { status: 'integrated' })).status).toBe(200);
  for (const backwards of ['read', 'unread']) {
    expect((await browser.patch(status, { status: backwards })).status).toBe(400);
  }
  expect((await teacher.get('/api/admin/feedback')).body[0]).toMatchObject({
    id: sent.body.id,
    status: 'integrated',
  });
});

test('reading may be skipped', async () => {
  const student = await app.make.student();
  const { id } = await app.make.feedback({ student });
  const reply = await (await app.as(student)).patch(`/api/feedback/${id}/status`, { status: 'integrated' });
  expect([reply.status, reply.body.status]).toEqual([200, 'integrated']);
});

test('a student cannot see or move another student’s feedback', async () => {
  const { id } = await app.make.feedback();
  const other = await app.as(await app.make.student());
  expect((await other.get('/api/feedback')).body).toEqual([]);
  const theirs = await other.patch(`/api/feedback/${id}/status`, { status: 'read' });
  const missing = await other.patch('/api/feedback/999999/status', { status: 'read' });
  expect([theirs.status, theirs.body]).toEqual([404, missing.body]);
});

test('feedback without a word or a sound is refused with the specified sentence', async () => {
  const recording = await app.make.recording();
  const reply = await teacher.form('/api/feedback', { recordingId: recording.id, writtenFeedback: ' \n ' });
  expect(reply.status).toBe(400);
  expect(reply.body.message).toBe('Please provide either written feedback or audio feedback.');
  expect(await pendingIds()).toContain(recording.id);
});

test('a recording is answered once, whoever is faster', async () => {
  const recording = await app.make.recording();
  const before = (await app.files()).length;
  const second = await app.as(await app.make.teacher());
  const replies = await Promise.all(
    [teacher, second, teacher].map((client) =>
      client.form('/api/feedback', { recordingId: recording.id, audioFeedback: spoken }),
    ),
  );
  expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409]);
  const late = await teacher.form('/api/feedback', { recordingId: recording.id, writtenFeedback: 'Again' });
  expect([late.status, late.body.message]).toEqual([409, 'This recording has been answered already.']);
  expect(await app.files()).toHaveLength(before + 1);
});

test('the same clientId makes one feedback, one after the other and at the same moment', async () => {
  const recording = await app.make.recording();
  const clientId = crypto.randomUUID();
  const send = () =>
    teacher.form('/api/feedback', { recordingId: recording.id, audioFeedback: spoken, clientId });
  const before = (await app.files()).length;
  const together = await Promise.all([send(), send(), send(), send(), send()]);
  expect(together.map((reply) => reply.status).sort()).toEqual([200, 200, 200, 200, 201]);
  expect(new Set(together.map((reply) => reply.body.id)).size).toBe(1);
  expect((await send()).status).toBe(200);
  expect(await app.files()).toHaveLength(before + 1);
});

test('a reply to a recording that does not exist, or that is no sound, changes nothing', async () => {
  expect((await teacher.form('/api/feedback', { recordingId: 999_999, writtenFeedback: 'x' })).status).toBe(
    404,
  );
  expect((await teacher.form('/api/feedback', { writtenFeedback: 'x' })).status).toBe(400);
  const recording = await app.make.recording();
  const page = { bytes: Buffer.from('<!doctype html><script>1</script>'), name: 'reply.wav' };
  const reply = await teacher.form('/api/feedback', {
    recordingId: recording.id,
    writtenFeedback: 'kept back',
    audioFeedback: page,
  });
  expect(reply.status).toBe(415);
  expect(await pendingIds()).toContain(recording.id);
  const long = await teacher.form('/api/feedback', {
    recordingId: recording.id,
    writtenFeedback: 'x'.repeat(20_001),
  });
  expect(long.status).toBe(400);
});
