import { sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';
import { waitForLockWaiters } from '#testing/wait-for.ts';
import { MAX_VOICE_COMMENTS } from './limits.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const held = app.services.feedback.held;

type Given = { id: number; voices: { id: string; audioUrl: string; duration: number }[]; marks: object[] };

/** Uploads a voice comment completely and returns the id of the upload. */
async function uploadVoice(
  bytes: Uint8Array = createTone(1),
  by: TestClient = teacher,
  id: string = crypto.randomUUID(),
) {
  await by.put(`/api/uploads/${id}`, { size: bytes.length });
  expect((await by.patch(`/api/uploads/${id}?start=0`, bytes)).status).toBe(200);
  return id;
}

const markAt = (start: number, voice?: string, text = '') => ({
  ...{ start, end: null, text },
  ...(voice && { voice }),
});
const json = (...marks: object[]) => JSON.stringify(marks);
const send = (recordingId: number, marks: string, more: Record<string, string | number> = {}) =>
  teacher.form('/api/feedback', { recordingId, marks, ...more });
const correct = (id: number, parts: Record<string, string>) =>
  teacher.form(`/api/feedback/${id}`, parts, { method: 'PUT' });
const addressOf = ({ audioUrl }: { audioUrl: string }) => `/api/files/${audioUrl}?type=audio`;
const voiceOf = ({ voices }: Given, id: string) => voices.find((voice) => voice.id === id)!;

/** Counts the stored feedback audio (rows and files) and the rows of voice comments. */
async function countStoredVoices() {
  const { rows } = await app.db.execute<{ name: string; voices: number }>(
    sql`select name, (select count(*)::int from mark_voices) as voices from media_files where slot = 'feedback-audio'`,
  );
  const files = new Set(await app.files());
  return {
    rows: rows.length,
    voices: rows[0]?.voices ?? 0,
    files: rows.filter(({ name }) => files.has(name)).length,
  };
}

beforeEach(async () => {
  app.clock.reset();
  for (const { id } of (await teacher.get('/api/recordings/pending')).body as { id: number }[])
    await app.db.execute(sql`delete from held_feedback where recording_id = ${id}`);
});

test('a reply can consist of voice comments, which other students cannot open', async () => {
  const student = await app.make.student();
  const [client, other] = [await app.as(student), await app.as(await app.make.student())];
  const recording = await app.make.recording({ student, seconds: 3 });
  const [low, high] = [createTone(1, 220), createTone(2, 880)];
  const [first, second] = [await uploadVoice(low), await uploadVoice(high)];
  const size = async () =>
    ((await client.get(`/api/users/${student.id}/export/size`)).body as { bytes: number }).bytes;
  const before = await size();
  const sent = await send(recording.id, json(markAt(2, second, 'Like this'), markAt(0.5, first), markAt(1)));
  expect(sent.status).toBe(201);
  const given = (await client.get('/api/feedback')).body[0] as Given;
  expect(given).toMatchObject({
    writtenFeedback: '0:00 – spoken\n0:02 – Like this',
    // The mark without words or voice comment is left out.
    marks: [markAt(0.5, first), markAt(2, second, 'Like this')],
    audioFeedbackUrl: null,
  });
  expect([voiceOf(given, first).duration, voiceOf(given, second).duration]).toEqual([1, 2]);
  expect((await client.get(addressOf(voiceOf(given, first)))).bytes.equals(low)).toBe(true);
  const file = addressOf(voiceOf(given, second));
  const part = await client.get(file, { headers: { range: 'bytes=100-199' } });
  expect([part.status, part.bytes.equals(high.subarray(100, 200))]).toEqual([206, true]);
  const statuses = [teacher, other, app.visitor()].map(async (each) => (await each.get(file)).status);
  expect(await Promise.all(statuses)).toEqual([200, 404, 401]);
  expect((await client.get('/api/pack?melodies=&own=yes')).body.own.files).toEqual(
    expect.arrayContaining(
      given.voices.map(({ audioUrl }) => expect.objectContaining({ name: audioUrl }) as object),
    ),
  );
  expect((await size()) - before).toBe(low.length + high.length);
});

test('only teachers can open a held reply’s voice comments, which undo deletes', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  const recording = await app.make.recording({ student, seconds: 3 });
  const before = await countStoredVoices();
  const voice = await uploadVoice();
  const marks = json(markAt(1, voice));
  const spoken = await uploadVoice(createTone(2));
  const { status, body } = await send(recording.id, marks, { uploadId: spoken, holdSeconds: 10 });
  expect([status, (body as Given).voices.map(({ id }) => id)]).toEqual([202, [voice]]);
  const file = addressOf((body as Given).voices[0]!);
  expect([(await client.get(file)).status, (await teacher.get(file)).status]).toEqual([404, 200]);
  expect((await teacher.delete(`/api/admin/feedback/held/${recording.id}`)).body.voices).toEqual(body.voices);
  expect(await countStoredVoices()).toEqual(before);
  const drafts = await teacher.get(`/api/admin/feedback-drafts?recordingId=${recording.id}`);
  expect(drafts.body).toMatchObject([{ marks: [markAt(1, voice)] }]);

  // Sends the reply again, with the audio that is still on the device.
  await uploadVoice(createTone(1), teacher, voice);
  await uploadVoice(createTone(2), teacher, spoken);
  const again = await send(recording.id, marks, { uploadId: spoken, holdSeconds: 10 });
  expect(again.status).toBe(202);
  app.clock.advance(10_000);
  await held.releaseDue();
  const given = (await client.get('/api/feedback')).body[0] as Given;
  expect((await client.get(addressOf(voiceOf(given, voice)))).status).toBe(200);
});

test('a correction adds voice comments and deletes those that no mark refers to', async () => {
  const recording = await app.make.recording({ seconds: 3 });
  const { id } = (await send(recording.id, '', { writtenFeedback: 'Good.' })).body as Given;
  const before = await countStoredVoices();
  const [first, second] = [await uploadVoice(), await uploadVoice()];
  const both = await correct(id, { marks: json(markAt(0, first), markAt(1, second)) });
  expect((both.body as Given).voices).toHaveLength(2);
  expect(await countStoredVoices()).toEqual({
    rows: before.rows + 2,
    voices: before.voices + 2,
    files: before.files + 2,
  });
  // A correction without `marks` leaves the marks unchanged.
  expect((await correct(id, { writtenFeedback: 'Very good.' })).body.voices).toHaveLength(2);
  const third = await uploadVoice();
  const fewer = await correct(id, { marks: json(markAt(1, second), markAt(2, third)) });
  expect((fewer.body as Given).voices.map((voice) => voice.id).sort()).toEqual([second, third].sort());
  expect((await teacher.get(addressOf(voiceOf(both.body as Given, first)))).status).toBe(404);
  expect(await countStoredVoices()).toEqual({
    rows: before.rows + 2,
    voices: before.voices + 2,
    files: before.files + 2,
  });
});

test('a reply that supersedes an earlier reply reuses its uploaded voice comment', async () => {
  const recording = await app.make.recording({ seconds: 3 });
  const [first, second, voice] = [crypto.randomUUID(), crypto.randomUUID(), await uploadVoice()];
  const marks = json(markAt(1, voice));
  for (const holdSeconds of [10, undefined]) {
    const rest = holdSeconds ? { holdSeconds } : {};
    const try1 = await send(recording.id, marks, { clientId: first, ...rest });
    expect((await send(recording.id, marks, { clientId: first, ...rest })).body).toMatchObject({
      voices: try1.body.voices,
    });
  }
  const next = await send(recording.id, marks, {
    ...{ clientId: second, supersedes: first, writtenFeedback: 'And slower.' },
  });
  expect(next.body).toMatchObject({ writtenFeedback: 'And slower.', voices: [{ id: voice }] });
});

test('rejects a reply with an invalid voice comment and stores nothing', async () => {
  const recording = await app.make.recording({ seconds: 3 });
  const elsewhere = await uploadVoice();
  const another = await app.make.recording({ seconds: 3 });
  expect((await send(another.id, json(markAt(0, elsewhere)))).status).toBe(201);
  const colleague = await app.as(await app.make.teacher());
  const before = await countStoredVoices();
  const statusOf = async (voice: string) =>
    (await send(recording.id, json(markAt(0, await uploadVoice()), markAt(1, voice)))).status;
  expect(await statusOf(await uploadVoice(Buffer.from('<html>no sound at all</html>')))).toBe(415);
  expect(await statusOf(crypto.randomUUID())).toBe(409);
  // Rejects a voice comment on another recording, and an upload by another teacher.
  expect(await statusOf(elsewhere)).toBe(409);
  expect(await statusOf(await uploadVoice(createTone(1), colleague))).toBe(409);
  expect(await statusOf('no id')).toBe(400);
  const many = Array.from({ length: MAX_VOICE_COMMENTS + 1 }, () => markAt(0, crypto.randomUUID()));
  const refused = await send(recording.id, json(...many));
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringMatching(/up to 12 voice comments/),
  ]);
  expect(await countStoredVoices()).toEqual(before);
});

test('withdrawing a recording or deleting its student deletes the voice comments', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  const before = await countStoredVoices();
  const withdrawn = await app.make.recording({ student, seconds: 3 });
  await send(withdrawn.id, json(markAt(0, await uploadVoice())), { holdSeconds: 10 });
  expect((await client.delete(`/api/recordings/${withdrawn.id}`)).status).toBe(200);
  expect(await countStoredVoices()).toEqual(before);
  const answered = await app.make.recording({ student, seconds: 3 });
  await send(answered.id, json(markAt(0, await uploadVoice())));
  expect((await countStoredVoices()).voices).toBe(before.voices + 1);
  expect((await teacher.delete(`/api/admin/users/${student.id}`)).status).toBe(200);
  expect(await countStoredVoices()).toEqual(before);
});

test('adding a voice comment while the student is being deleted does not deadlock', async () => {
  const student = await app.make.student();
  const before = await countStoredVoices();
  const recording = await app.make.recording({ student, seconds: 3 });
  const { id } = (await send(recording.id, '', { writtenFeedback: 'Good.' })).body as Given;
  const voice = await uploadVoice();
  const calls = await app.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from uploads where client_id = ${voice} for update`);
    const corrected = correct(id, { marks: json(markAt(0, voice)) });
    await waitForLockWaiters(app.db, 1);
    const deleted = teacher.delete(`/api/admin/users/${student.id}`);
    await waitForLockWaiters(app.db, 2);
    return [corrected, deleted];
  });
  for (const call of calls) expect([200, 404]).toContain((await call).status);
  expect(await countStoredVoices()).toEqual(before);
});
