import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';
import { MISSING_FEEDBACK_MESSAGE } from './limits.ts';
import { waitFor } from '#testing/wait-for.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const spoken = { bytes: createTone(2), name: 'reply.wav', type: 'audio/wav' };
const pendingIds = async () =>
  ((await teacher.get('/api/recordings/pending')).body as { id: number }[]).map((recording) => recording.id);

test('teacher sends text and audio feedback, and the student marks it as integrated', async () => {
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

test('feedback can go from unread to integrated directly', async () => {
  const student = await app.make.student();
  const { id } = await app.make.feedback({ student });
  const reply = await (await app.as(student)).patch(`/api/feedback/${id}/status`, { status: 'integrated' });
  expect([reply.status, reply.body.status]).toEqual([200, 'integrated']);
});

test('student cannot see or change another student’s feedback', async () => {
  const { id } = await app.make.feedback();
  const other = await app.as(await app.make.student());
  expect((await other.get('/api/feedback')).body).toEqual([]);
  const theirs = await other.patch(`/api/feedback/${id}/status`, { status: 'read' });
  const missing = await other.patch('/api/feedback/999999/status', { status: 'read' });
  expect([theirs.status, theirs.body]).toEqual([404, missing.body]);
});

test('rejects feedback without text or audio', async () => {
  const recording = await app.make.recording();
  const reply = await teacher.form('/api/feedback', { recordingId: recording.id, writtenFeedback: ' \n ' });
  expect(reply.status).toBe(400);
  expect(reply.body.message).toBe('Please provide either written feedback or audio feedback.');
  expect(await pendingIds()).toContain(recording.id);
});

test('accepts only one of several concurrent replies to a recording', async () => {
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
  expect([late.status, late.body.message]).toEqual([409, 'This recording already has feedback.']);
  expect(await app.files()).toHaveLength(before + 1);
});

test('repeated and concurrent calls with the same clientId create one reply', async () => {
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

test('a changed reply replaces an earlier version whose response was lost', async () => {
  const recording = await app.make.recording({ seconds: 3 });
  const [first, second, third] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const send = (clientId: string, parts: Record<string, string | typeof spoken>, by = teacher) =>
    by.form('/api/feedback', { recordingId: recording.id, clientId, ...parts });
  const set = JSON.stringify([{ start: 1, end: null, text: 'here' }]);
  expect((await send(first, { writtenFeedback: 'Slower.', marks: set })).status).toBe(201);

  const supersedes = [crypto.randomUUID(), first].join();
  const other = await app.as(await app.make.teacher());
  // A reply can't supersede another teacher's reply. Without `supersedes`, it is rejected because the
  // recording is already answered.
  expect((await send(second, { writtenFeedback: 'Mine', supersedes }, other)).status).toBe(409);
  expect((await send(second, { writtenFeedback: 'Softer.' })).status).toBe(409);
  expect((await send(second, { writtenFeedback: 'Softer.', supersedes: 'no id' })).status).toBe(400);

  const files = (await app.files()).length;
  const softer = { writtenFeedback: 'Softer.', supersedes, audioFeedback: spoken };
  const corrected = await send(second, softer);
  expect([corrected.status, corrected.body]).toMatchObject([
    200,
    { writtenFeedback: 'Softer.', marks: [], audioFeedbackDuration: 2 },
  ]);
  // Repeats the call, as if this response had been lost too. Nothing changes.
  expect((await send(second, softer)).body).toEqual(corrected.body);
  expect(await app.files()).toHaveLength(files + 1);

  const id = String(corrected.body.id);
  await other.form(`/api/feedback/${id}`, { writtenFeedback: 'By another' }, { method: 'PUT' });
  const late = await send(third, { writtenFeedback: 'Late', supersedes: `${first},${second}` });
  expect([late.status, late.body.message]).toEqual([
    409,
    'Someone else corrected this feedback while you were writing.',
  ]);
  const { body } = await teacher.get(`/api/admin/recordings/${recording.id}/feedback`);
  expect(body.writtenFeedback).toBe('By another');
});

test('concurrent retries of a superseding reply replace the earlier reply only once', async () => {
  const recording = await app.make.recording();
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  const reply = { recordingId: recording.id, clientId: first, writtenFeedback: 'Before' };
  expect((await teacher.form('/api/feedback', reply)).status).toBe(201);
  const files = (await app.files()).length;
  const after = { ...reply, clientId: second, supersedes: first, audioFeedback: spoken };
  const replies = await Promise.all([1, 2, 3].map(() => teacher.form('/api/feedback', after)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(replies.map(({ body }) => body.audioFeedbackUrl as string)).size).toBe(1);
  expect(await app.files()).toHaveLength(files + 1);
});

test('a superseding reply wins over the superseded reply, even if both are concurrent', async () => {
  const recording = await app.make.recording();
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  const send = (clientId: string, writtenFeedback: string, more: Record<string, string> = {}) =>
    teacher.form('/api/feedback', { recordingId: recording.id, clientId, writtenFeedback, ...more });
  const [, last] = await Promise.all([send(first, 'Before'), send(second, 'After', { supersedes: first })]);
  expect([200, 201]).toContain(last.status);
  const { body } = await teacher.get(`/api/admin/recordings/${recording.id}/feedback`);
  expect(body.writtenFeedback).toBe('After');
});

test('rejects a reply to an unknown recording, with invalid audio or too much text', async () => {
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

const marks = [
  { start: 1.5, end: 2, text: 'Let the breath carry it.' },
  { start: 0.25, end: null, text: ' Softer here ' },
];

test('builds the written feedback from marks, sorted by time, if no text is sent', async () => {
  const student = await app.make.student();
  const recording = await app.make.recording({ student, seconds: 3 });
  const sent = await teacher.form('/api/feedback', {
    recordingId: recording.id,
    marks: JSON.stringify(marks),
  });
  expect(sent.status).toBe(201);
  expect(sent.body.writtenFeedback).toBe('0:00 – Softer here\n0:01–0:02 – Let the breath carry it.');
  expect((await (await app.as(student)).get('/api/feedback')).body[0].marks).toEqual([
    { start: 0.25, end: null, text: 'Softer here' },
    { start: 1.5, end: 2, text: 'Let the breath carry it.' },
  ]);
});

test('drops a mark without text or voice comment, which does not count as feedback', async () => {
  const wordless = JSON.stringify([{ start: 0, end: null, text: '  ' }]);
  const recording = await app.make.recording({ seconds: 3 });
  const send = (parts: Record<string, unknown>) =>
    teacher.form('/api/feedback', { recordingId: recording.id, marks: wordless, ...parts });
  const refused = await send({ writtenFeedback: ' ' });
  expect([refused.status, refused.body.message]).toEqual([400, MISSING_FEEDBACK_MESSAGE]);
  expect(await pendingIds()).toContain(recording.id);

  const sent = await send({ audioFeedback: spoken });
  expect(sent.status).toBe(201);
  expect(sent.body).toMatchObject({ writtenFeedback: null, marks: [] });

  const put = (parts: Record<string, string>) =>
    teacher.form(`/api/feedback/${sent.body.id}`, parts, { method: 'PUT' });
  const silenced = await put({ removeAudio: 'true' });
  expect([silenced.status, silenced.body.message]).toEqual([400, MISSING_FEEDBACK_MESSAGE]);
  const worded = JSON.stringify([{ start: 0, end: null, text: 'Softer' }]);
  expect((await put({ removeAudio: 'true', marks: worded })).body.writtenFeedback).toBe('0:00 – Softer');
  const unworded = await put({ marks: wordless });
  expect([unworded.status, unworded.body.message]).toEqual([400, MISSING_FEEDBACK_MESSAGE]);
  expect((await put({ marks: wordless, writtenFeedback: 'All good.' })).body).toMatchObject({
    writtenFeedback: 'All good.',
    marks: [],
  });
});

test.each([
  ['invalid JSON', '{'],
  ['an object instead of a list', '{"start":1}'],
  ['a time after the end', '[{"start":99,"end":null,"text":"x"}]'],
  ['an end before the start', '[{"start":2,"end":1,"text":"x"}]'],
  ['a negative time', '[{"start":-1,"end":null,"text":"x"}]'],
  ['a negative melody time', '[{"start":1,"end":null,"text":"x","melodyAt":-1}]'],
  ['a melody time beyond the maximum', '[{"start":1,"end":null,"text":"x","melodyAt":10801}]'],
  ['a melody time that is not a number', '[{"start":1,"end":null,"text":"x","melodyAt":"1"}]'],
  ['a text of 501 characters', JSON.stringify([{ start: 0, end: null, text: 'x'.repeat(501) }])],
  ['a NUL character', String.raw`[{"start":0,"end":null,"text":"a\u0000b"}]`],
])('rejects %s in the marks field and leaves the recording pending', async (_, wrong) => {
  const recording = await app.make.recording({ seconds: 3 });
  const reply = await teacher.form('/api/feedback', { recordingId: recording.id, marks: wrong });
  expect(reply.status).toBe(400);
  expect(await pendingIds()).toContain(recording.id);
});

test.each([
  ['201 marks', 201, 'x', 'You can add up to 200 comments.'],
  [
    'a mark text of 501 characters',
    1,
    'x'.repeat(501),
    'This text is too long. The limit is 500 characters.',
  ],
])('rejects %s with a message that states the limit', async (_, count, text, message) => {
  const recording = await app.make.recording();
  const reply = await teacher.form('/api/feedback', {
    recordingId: recording.id,
    marks: JSON.stringify(Array(count).fill({ start: 0, end: null, text })),
  });
  expect([reply.status, reply.body.message]).toEqual([400, message]);
});

test('stores the melody time of a mark as sent: a number, null or absent', async () => {
  const student = await app.make.student();
  const recording = await app.make.recording({ student, seconds: 3 });
  const placed = [
    { start: 0, end: null, text: 'older' },
    { start: 1, end: null, text: 'placed', melodyAt: 61.25 },
    { start: 2, end: null, text: 'nowhere', melodyAt: null },
  ];
  const draft = `/api/admin/recordings/${recording.id}/draft`;
  expect((await teacher.put(draft, { text: '', marks: placed })).status).toBe(200);
  const drafts = (await teacher.get('/api/admin/feedback-drafts')).body as { recordingId: number }[];
  expect(drafts.find((each) => each.recordingId === recording.id)).toMatchObject({ marks: placed });
  const sent = await teacher.form('/api/feedback', {
    recordingId: recording.id,
    marks: JSON.stringify(placed),
  });
  expect(sent.body.marks).toEqual(placed);
  expect((await (await app.as(student)).get('/api/feedback')).body[0].marks).toEqual(placed);
  const moved = [{ ...placed[1]!, melodyAt: 3 }];
  const corrected = await teacher.form(
    `/api/feedback/${sent.body.id}`,
    { marks: JSON.stringify(moved) },
    { method: 'PUT' },
  );
  expect(corrected.body.marks).toEqual(moved);
});

test('a correction reaches the student and keeps the feedback’s status', async () => {
  const student = await app.make.student();
  const browser = await app.as(student);
  const { id, audioFeedbackUrl } = await app.make.feedback({ student, spoken: true });
  await browser.patch(`/api/feedback/${id}/status`, { status: 'integrated' });
  const correct = (parts: Record<string, string | typeof spoken>) =>
    teacher.form(`/api/feedback/${id}`, parts, { method: 'PUT' });

  const written = await correct({ writtenFeedback: 'On the second syllable.' });
  expect(written.body).toMatchObject({
    writtenFeedback: 'On the second syllable.',
    audioFeedbackUrl,
    status: 'integrated',
    correctedAt: expect.stringMatching(/Z$/),
  });
  const voiced = await correct({ audioFeedback: spoken });
  expect(voiced.body).toMatchObject({ writtenFeedback: 'On the second syllable.', audioFeedbackDuration: 2 });
  expect(voiced.body.audioFeedbackUrl).not.toBe(audioFeedbackUrl);
  expect(await app.files()).not.toContain(audioFeedbackUrl);
  const silent = await correct({ removeAudio: 'true' });
  expect(silent.body.audioFeedbackUrl).toBeNull();
  const empty = await correct({ writtenFeedback: ' ' });
  expect([empty.status, empty.body.message]).toEqual([
    400,
    'Please provide either written feedback or audio feedback.',
  ]);
  expect((await browser.get('/api/feedback')).body).toEqual([silent.body]);
  expect((await teacher.form('/api/feedback/999999', {}, { method: 'PUT' })).status).toBe(404);
});

test('a correction without changes has no effect and notifies nobody', async () => {
  const student = await app.make.student();
  const recording = await app.make.recording({ student, seconds: 3 });
  const placed = [...marks, { start: 2, end: null, text: 'On the line', melodyAt: 3 }];
  const { body } = await teacher.form('/api/feedback', {
    recordingId: recording.id,
    marks: JSON.stringify(placed),
    audioFeedback: spoken,
  });
  const news = await (await app.as(student)).stream('/api/events');
  const eventsOf = (path: string) =>
    news.events.filter((event) => (event as { refreshes: string[] }).refreshes.includes(path));
  // Events arrive in order, so when the event for a new level arrives, all earlier events have arrived.
  const untilAllIsHeard = async () => {
    const before = eventsOf('/api/melodies').length;
    await app.make.grant(student, crypto.randomUUID());
    await waitFor(() => expect(eventsOf('/api/melodies').length).toBeGreaterThan(before));
  };
  await untilAllIsHeard();
  const toldBefore = eventsOf('/api/feedback').length;
  const correct = (parts: Record<string, string>) =>
    teacher.form(`/api/feedback/${body.id}`, parts, { method: 'PUT' });
  // All of these corrections have the content that is already stored. The second is what the page sends if
  // the teacher added only marks. The third has spaces around the text, and its marks are in another order.
  for (const same of [
    {},
    { writtenFeedback: '', marks: JSON.stringify(body.marks) },
    { writtenFeedback: ` ${body.writtenFeedback} `, marks: JSON.stringify(placed) },
    { removeAudio: 'false' },
  ]) {
    const reply = await correct(same);
    expect([reply.status, reply.body]).toEqual([200, body]);
  }
  const moved = JSON.stringify(placed.map((mark) => ({ ...mark, melodyAt: null })));
  expect((await correct({ marks: moved })).body.correctedAt).toMatch(/Z$/);
  await untilAllIsHeard();
  // The only new event is from the correction that changed something.
  expect(eventsOf('/api/feedback')).toHaveLength(toldBefore + 1);
  await news.close();
});

describe('a correction with basedOn', () => {
  const correctionOf = (id: number) => (parts: Record<string, string | typeof spoken>) =>
    teacher.form(`/api/feedback/${id}`, parts, { method: 'PUT' });
  const OVERTAKEN = 'Someone else corrected this feedback while you were writing.';

  test('a correction whose basedOn is outdated is rejected and changes nothing', async () => {
    const { id, recordingId } = await app.make.feedback({ spoken: true });
    const correct = correctionOf(id);
    const present = async () => (await teacher.get(`/api/admin/recordings/${recordingId}/feedback`)).body;
    const first = await correct({ writtenFeedback: 'First.', basedOn: '' });
    expect([first.status, first.body.writtenFeedback]).toEqual([200, 'First.']);
    const before = (await app.files()).length;
    for (const late of [{ writtenFeedback: 'Late.' }, { audioFeedback: spoken }, { removeAudio: 'true' }]) {
      const reply = await correct({ ...late, basedOn: '' });
      expect([reply.status, reply.body.message]).toEqual([409, OVERTAKEN]);
    }
    expect(await present()).toEqual(first.body);
    expect(await app.files()).toHaveLength(before);

    const second = await correct({ writtenFeedback: 'Second.', basedOn: first.body.correctedAt });
    expect(second.status).toBe(200);
    expect((await correct({ writtenFeedback: 'Late.', basedOn: first.body.correctedAt })).status).toBe(409);
    // Without `basedOn`, a correction replaces any version.
    expect((await correct({ writtenFeedback: 'Third.' })).status).toBe(200);
  });

  test('a correction with basedOn can be repeated if its response was lost', async () => {
    const correct = correctionOf((await app.make.feedback()).id);
    const first = await correct({ writtenFeedback: 'Once.', basedOn: '' });
    const again = await correct({ writtenFeedback: 'Once.', basedOn: '' });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test('rejects an outdated basedOn even if two corrections share a millisecond', async () => {
    app.clock.set(new Date());
    const correct = correctionOf((await app.make.feedback()).id);
    const first = await correct({ writtenFeedback: 'First.', basedOn: '' });
    const second = await correct({ writtenFeedback: 'Second.', basedOn: first.body.correctedAt });
    const third = await correct({ writtenFeedback: 'Third.', basedOn: first.body.correctedAt });
    app.clock.reset();
    expect([first.status, second.status, third.status]).toEqual([200, 200, 409]);
  });

  test('only one of several concurrent corrections with the same basedOn succeeds', async () => {
    const { id, recordingId } = await app.make.feedback({ spoken: true });
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((writtenFeedback) => correctionOf(id)({ writtenFeedback, basedOn: '' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const { body } = await teacher.get(`/api/admin/recordings/${recordingId}/feedback`);
    expect(body).toEqual(replies.find(({ status }) => status === 200)!.body);
  });

  test('a retry can use the upload of a correction that was rejected as outdated', async () => {
    const { id } = await app.make.feedback();
    const correct = correctionOf(id);
    const uploadId = crypto.randomUUID();
    const at = `/api/uploads/${uploadId}`;
    await teacher.put(at, { size: spoken.bytes.length });
    await teacher.patch(`${at}?start=0`, spoken.bytes);
    const { body } = await correct({ writtenFeedback: 'Meanwhile.' });
    expect((await correct({ uploadId, basedOn: '' })).status).toBe(409);
    expect((await correct({ uploadId, basedOn: body.correctedAt })).body.audioFeedbackDuration).toBe(2);
  });

  test.each(['yesterday', '2026-02-30T00:00:00.000Z', '7'])(
    'a correction with the invalid basedOn “%s” is rejected',
    async (basedOn) => {
      const { id } = await app.make.feedback();
      expect((await correctionOf(id)({ writtenFeedback: 'x', basedOn })).status).toBe(400);
    },
  );
});

test('concurrent corrections with audio leave one audio file and no orphaned files', async () => {
  const { id, recordingId, audioFeedbackUrl } = await app.make.feedback({ spoken: true });
  const before = await app.files();
  const rows = await app.count('media_files');
  const voices = [2, 3, 4].map((seconds) => ({ ...spoken, bytes: createTone(seconds) }));
  const replies = await Promise.all(
    voices.map((audioFeedback) => teacher.form(`/api/feedback/${id}`, { audioFeedback }, { method: 'PUT' })),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body } = await teacher.get(`/api/admin/recordings/${recordingId}/feedback`);
  const heard = await teacher.get(`/api/files/${body.audioFeedbackUrl}?type=audio`);
  expect(voices.some(({ bytes }) => heard.bytes.equals(bytes))).toBe(true);
  expect((await app.files()).sort()).toEqual(
    [...before.filter((name) => name !== audioFeedbackUrl), body.audioFeedbackUrl].sort(),
  );
  expect(await app.count('media_files')).toBe(rows);
});

test('correcting marks updates text that was built from marks, but not typed text', async () => {
  const recording = await app.make.recording({ seconds: 3 });
  const { body } = await teacher.form('/api/feedback', {
    recordingId: recording.id,
    marks: JSON.stringify(marks),
  });
  const put = (parts: Record<string, string>) =>
    teacher.form(`/api/feedback/${body.id}`, parts, { method: 'PUT' });
  const one = JSON.stringify([{ start: 2, end: null, text: 'Here.' }]);
  expect((await put({ marks: one })).body.writtenFeedback).toBe('0:02 – Here.');
  expect((await put({ writtenFeedback: 'All good.' })).body.writtenFeedback).toBe('All good.');
  expect((await put({ marks: '' })).body).toMatchObject({ writtenFeedback: 'All good.', marks: [] });
});

test('teachers and the student see all of the student’s attempts at a melody', async () => {
  const melody = await app.make.melody({ level: 'Refuge' });
  const student = await app.make.student({ levels: ['Refuge'] });
  const first = await app.make.feedback({ student, melodyId: melody.id, written: 'Slower.' });
  const second = await app.make.recording({ student, melodyId: melody.id });
  await app.make.recording({ student });
  const { body } = await teacher.get(`/api/recordings/${second.id}/thread`);
  expect(body).toMatchObject([
    {
      recording: { id: first.recordingId, attempt: 1 },
      feedback: { id: first.id, writtenFeedback: 'Slower.' },
    },
    { recording: { id: second.id, attempt: 2 }, feedback: null },
  ]);
  expect((await (await app.as(student)).get(`/api/recordings/${second.id}/thread`)).body).toEqual(body);
  const other = await app.as(await app.make.student({ levels: ['Refuge'] }));
  expect((await other.get(`/api/recordings/${second.id}/thread`)).status).toBe(404);
});

test('latest-feedback returns the newest feedback on a pending recording’s melody', async () => {
  const melody = await app.make.melody({ level: 'Refuge' });
  const student = await app.make.student({ levels: ['Refuge'] });
  const browser = await app.as(student);
  const latestOf = (recordingId: number, by = browser) =>
    by.get(`/api/recordings/${recordingId}/latest-feedback`);
  const count = (by = browser) => by.get(`/api/student/recordings/count?melodyId=${melody.id}`);
  const first = await app.make.feedback({ student, melodyId: melody.id, written: 'The oldest.' });
  const second = await app.make.feedback({ student, melodyId: melody.id, written: 'The newest.' });
  const waiting = await app.make.recording({ student, melodyId: melody.id });
  // Adds newer feedback on more recordings than fit on one page. None of these recordings is an attempt at this
  // melody.
  await app.db.execute(sql`
    with sung as (
      insert into recordings (student_id, title, audio_url, duration, status, created_at)
      select student_id, 'Number ' || n, audio_url, duration, 'reviewed', now() - interval '2 days'
      from recordings, generate_series(1, 205) as n where id = ${waiting.id} returning id
    )
    insert into feedback (recording_id, admin_id, written_feedback)
    select sung.id, users.id, 'Later.' from sung, (select id from users where role = 'admin' limit 1) as users`);

  const found = {
    feedback: { id: first.id, recordingId: first.recordingId, writtenFeedback: 'The oldest.' },
  };
  expect((await latestOf(first.recordingId)).body).toMatchObject(found);
  expect((await latestOf(second.recordingId)).body).toMatchObject({ feedback: { id: second.id } });
  expect((await latestOf(waiting.id)).body).toMatchObject({ feedback: { id: second.id } });
  expect((await count()).body).toEqual({ count: 3 });

  const alone = await app.make.recording({ student });
  expect((await latestOf(alone.id)).body).toEqual({ feedback: null });
  const other = await app.as(await app.make.student({ levels: ['Refuge'] }));
  expect((await latestOf(first.recordingId, other)).status).toBe(404);
  expect((await latestOf(999_999, other)).status).toBe(404);
  expect((await count(other)).body).toEqual({ count: 0 });
  expect((await other.get('/api/student/recordings/count')).status).toBe(400);
});

test('a teacher whose reply comes too late can read the other teacher’s feedback', async () => {
  const { id, recordingId } = await app.make.feedback({ written: 'Mine was first.' });
  const late = await teacher.form('/api/feedback', { recordingId, writtenFeedback: 'Late.' });
  expect(late.status).toBe(409);
  const given = await teacher.get(`/api/admin/recordings/${recordingId}/feedback`);
  expect(given.body).toMatchObject({ id, writtenFeedback: 'Mine was first.' });
  const waiting = await app.make.recording();
  expect((await teacher.get(`/api/admin/recordings/${waiting.id}/feedback`)).status).toBe(404);
});

test('each admin has a separate draft, which is deleted when sent or emptied', async () => {
  const mine = await app.as(await app.make.teacher());
  const theirs = await app.as(await app.make.teacher());
  const { id } = await app.make.recording({ seconds: 3 });
  const keep = (admin: typeof mine, text: string, set: unknown[] = []) =>
    admin.put(`/api/admin/recordings/${id}/draft`, { text, marks: set });
  await keep(mine, 'So f');
  await keep(mine, 'So far', [{ start: 1, end: null, text: 'here' }]);
  await keep(theirs, 'Other words');
  expect((await mine.get('/api/admin/feedback-drafts')).body).toMatchObject([
    { recordingId: id, isAnswered: false, text: 'So far', marks: [{ start: 1, end: null, text: 'here' }] },
  ]);
  await mine.form('/api/feedback', { recordingId: id, writtenFeedback: 'So far, so good.' });
  expect((await mine.get('/api/admin/feedback-drafts')).body).toEqual([]);
  expect((await keep(theirs, 'Other words, too late')).status).toBe(200);
  expect((await theirs.get('/api/admin/feedback-drafts')).body).toMatchObject([
    { text: 'Other words, too late', isAnswered: true },
  ]);
  const [only] = (await theirs.get(`/api/admin/feedback-drafts?recordingId=${id}`)).body;
  expect(only).toMatchObject({ recordingId: id });
  expect((await theirs.get(`/api/admin/feedback-drafts?recordingId=${id + 1}`)).body).toEqual([]);
  await keep(theirs, ' ');
  expect((await theirs.get('/api/admin/feedback-drafts')).body).toEqual([]);
  expect((await mine.put('/api/admin/recordings/999999/draft', { text: 'x', marks: [] })).status).toBe(404);
});

test('rejects a draft save that would overwrite a newer draft from another browser', async () => {
  const admin = await app.as(await app.make.teacher());
  const { id } = await app.make.recording({ seconds: 3 });
  const marks = [{ start: 1, end: null, text: 'here', melodyAt: null }];
  const keep = (text: string, basedOn?: string[], set: unknown[] = []) =>
    admin.put(`/api/admin/recordings/${id}/draft`, { text, marks: set, ...(basedOn && { basedOn }) });
  const there = async () =>
    ((await admin.get('/api/admin/feedback-drafts')).body as { text: string; revision: string }[])[0];

  // No draft is stored yet, so `basedOn` does not matter.
  const first = await keep('First', ['nothing']);
  expect(first.status).toBe(200);
  expect((await there())?.revision).toBe(first.body.revision);
  const phone = await keep('First, from the phone', [first.body.revision], marks);
  expect((await there())?.revision).toBe(phone.body.revision);

  const late = await keep('First, from the computer', [first.body.revision]);
  expect([late.status, late.body.message]).toEqual([
    409,
    'This draft was changed in another browser while you were writing.',
  ]);
  // An empty draft that is based on an older revision doesn't delete the newer draft either.
  expect((await keep('', [first.body.revision])).status).toBe(409);
  expect(await there()).toMatchObject({ text: 'First, from the phone', marks });

  // A save whose `basedOn` includes the stored revision is accepted.
  expect((await keep('Both', ['other', phone.body.revision])).status).toBe(200);
  expect((await there())?.text).toBe('Both');
  expect((await keep(' ', ['other'])).status).toBe(409);
  expect((await keep(' ')).status).toBe(200);
  expect(await there()).toBeUndefined();
});

test('a draft save can be repeated, but not after a newer save', async () => {
  const admin = await app.as(await app.make.teacher());
  const { id } = await app.make.recording({ seconds: 3 });
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  const keep = (text: string, revision: string, basedOn: string[]) =>
    admin.put(`/api/admin/recordings/${id}/draft`, { text, marks: [], revision, basedOn });
  expect((await keep('F', first, [])).body.revision).toBe(first);
  expect((await keep('F', first, [])).status).toBe(200);
  // The response to the first save was lost, so the second save lists the first revision as one that may have
  // arrived.
  expect((await keep('First', second, [first])).status).toBe(200);
  expect((await keep('F', first, [])).status).toBe(409);
  const drafts = await admin.get('/api/admin/feedback-drafts');
  expect(drafts.body).toMatchObject([{ text: 'First', revision: second }]);
  expect((await keep('', crypto.randomUUID(), [second])).status).toBe(200);
  expect((await admin.get('/api/admin/feedback-drafts')).body).toEqual([]);
});

test('if two browsers create a draft concurrently, one of them gets a conflict', async () => {
  const admin = await app.as(await app.make.teacher());
  const { id } = await app.make.recording({ seconds: 3 });
  const replies = await Promise.all(
    ['Here', 'There'].map((text) =>
      admin.put(`/api/admin/recordings/${id}/draft`, { text, marks: [], basedOn: ['nothing'] }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('past feedback can be searched by student and melody', async () => {
  const melody = await app.make.melody({ level: 'Refuge', title: 'Offering of 100% Light' });
  const student = await app.make.student({ firstName: 'Yangzöm', lastName: 'Lhamo', levels: ['Refuge'] });
  const { id } = await app.make.feedback({ student, melodyId: melody.id });
  const found = async (q: string) =>
    ((await teacher.get(`/api/admin/feedback?q=${encodeURIComponent(q)}`)).body as { id: number }[]).map(
      (each) => each.id,
    );
  expect(await found('yangzom light')).toEqual([id]);
  expect(await found('100%')).toEqual([id]);
  expect(await found('yangzom nothing')).toEqual([]);
  expect(await found('%')).toEqual([id]);
});
