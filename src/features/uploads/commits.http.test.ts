import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';
import { startAppWithUploadHooks } from '#testing/upload-hooks.ts';
import { MAX_OPEN_UPLOADS } from './limits.ts';

const { app, during, atOnce } = await startAppWithUploadHooks();
afterEach(() => {
  during.beforeStaging = null;
  during.afterStaging = null;
});

const CHUNK = 10_000;
const song = createTone(3);
const student = async () => app.as(await app.make.student());

async function uploadSong(client: TestClient) {
  const uploadId = crypto.randomUUID();
  const at = `/api/uploads/${uploadId}`;
  await client.put(at, { size: song.length });
  for (let start = 0; start < song.length; start += CHUNK)
    expect((await client.patch(`${at}?start=${start}`, song.subarray(start, start + CHUNK))).status).toBe(
      200,
    );
  return { uploadId, giveUp: () => client.delete(at) };
}

const countStored = async () => [
  await app.count('recordings'),
  await app.count('media_files'),
  (await app.files()).length,
];

test('rejects a recording whose upload is deleted before the server reads the file', async () => {
  const browser = await student();
  const { uploadId, giveUp } = await uploadSong(browser);
  const before = await countStored();
  during.beforeStaging = giveUp;
  const reply = await browser.form('/api/recordings', { title: 'Torn', uploadId });
  expect([reply.status, reply.body.message]).toEqual([
    409,
    'The file is no longer complete on the server. Please send it again.',
  ]);
  expect(await countStored()).toEqual(before);
});

test('a sweep does not delete an hours-old upload whose recording is being stored', async () => {
  const browser = await student();
  const { uploadId } = await uploadSong(browser);
  const hoursAgo = new Date(Date.now() - 5 * 3_600_000);
  for (const name of await app.partials.list())
    await utimes(join(app.dataDir, 'uploads', name), hoursAgo, hoursAgo);
  during.afterStaging = () =>
    app.services.fileRounds({ before: new Date(Date.now() - 3_600_000), read: 'none' });
  expect((await browser.form('/api/recordings', { title: 'Waited', uploadId })).status).toBe(201);
});

test('two concurrent submissions with the same upload create one recording', async () => {
  const browser = await student();
  const { uploadId } = await uploadSong(browser);
  const before = await countStored();
  const send = () =>
    browser.form('/api/recordings', { title: 'Twice', uploadId, clientId: crypto.randomUUID() });
  // Only two requests, because a third request by the same user would wait for the first two.
  const replies = await atOnce([send, send]);
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(await countStored()).toEqual(before.map((count) => count + 1));
});

test('a submission that is sent twice concurrently creates one recording', async () => {
  const browser = await student();
  const { uploadId } = await uploadSong(browser);
  const form = { title: 'Once', uploadId, clientId: crypto.randomUUID() };
  const send = () => browser.form('/api/recordings', form);
  const replies = await atOnce([send, send]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 201]);
  expect(replies[0]!.body.id).toBe(replies[1]!.body.id);
});

test('two concurrent replies with the same upload create one reply', async () => {
  const teacher = await app.as(await app.make.teacher());
  const { uploadId } = await uploadSong(teacher);
  const recordings = [await app.make.recording(), await app.make.recording()];
  const replies = await atOnce(
    recordings.map(
      ({ id }) =>
        () =>
          teacher.form('/api/feedback', { recordingId: id, uploadId }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
  const waiting = recordings[replies.findIndex(({ status }) => status === 409)]!;
  const pending = (await teacher.get('/api/recordings/pending')).body as { id: number }[];
  const own = pending.filter(({ id }) => recordings.some((recording) => recording.id === id));
  expect(own.map(({ id }) => id)).toEqual([waiting.id]);
});

test('only one of two concurrent corrections with the same upload is saved', async () => {
  const teacher = await app.as(await app.make.teacher());
  const { uploadId } = await uploadSong(teacher);
  const given = [await app.make.feedback(), await app.make.feedback()];
  const replies = await atOnce(
    given.map(
      ({ id }) =>
        () =>
          teacher.form(`/api/feedback/${id}`, { uploadId }, { method: 'PUT' }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
});

const isOpen = async (uploadId: string) => {
  const { rows } = await app.db.execute(sql`select 1 from uploads where client_id = ${uploadId}`);
  return rows.length > 0;
};

test('rejected replies do not use up the limit on open uploads', async () => {
  const teacher = await app.as(await app.make.teacher());
  for (let count = 0; count < MAX_OPEN_UPLOADS; count += 1) {
    const uploadId = crypto.randomUUID();
    const at = `/api/uploads/${uploadId}`;
    await teacher.put(at, { size: 7 });
    await teacher.patch(`${at}?start=0`, Buffer.alloc(7));
    const late = await teacher.form('/api/feedback', { recordingId: 999_999, uploadId });
    expect(late.status).toBe(404);
  }
  expect((await teacher.put(`/api/uploads/${crypto.randomUUID()}`, { size: 7 })).status).toBe(200);
});

describe('the upload that a request refers to', () => {
  const notSound = async (client: TestClient) => {
    const uploadId = crypto.randomUUID();
    await client.put(`/api/uploads/${uploadId}`, { size: 9 });
    await client.patch(`/api/uploads/${uploadId}?start=0`, Buffer.from('not sound'));
    return { uploadId };
  };
  const outside = JSON.stringify([{ start: 99, end: null, text: 'x' }]);

  test('the upload of a permanently rejected reply is deleted', async () => {
    const teacher = await app.as(await app.make.teacher());
    const waiting = await app.make.recording();
    const answered = await app.make.feedback();
    const gone = { recordingId: 999_999 };
    for (const [status, { uploadId }, fields] of [
      [404, await uploadSong(teacher), gone],
      [409, await uploadSong(teacher), { recordingId: answered.recordingId }],
      [400, await uploadSong(teacher), { recordingId: waiting.id, marks: outside }],
      [415, await notSound(teacher), { recordingId: waiting.id }],
    ] as const) {
      const reply = await teacher.form('/api/feedback', { ...fields, uploadId });
      expect([reply.status, await isOpen(uploadId)]).toEqual([status, false]);
    }
  });

  test('the upload of a permanently rejected correction or recording is deleted', async () => {
    const teacher = await app.as(await app.make.teacher());
    const { id } = await app.make.feedback();
    for (const [status, { uploadId }, path, fields] of [
      [404, await uploadSong(teacher), '/api/feedback/999999', {}],
      [400, await uploadSong(teacher), `/api/feedback/${id}`, { marks: outside }],
      [415, await notSound(teacher), `/api/feedback/${id}`, {}],
    ] as const) {
      const reply = await teacher.form(path, { ...fields, uploadId }, { method: 'PUT' });
      expect([reply.status, await isOpen(uploadId)]).toEqual([status, false]);
    }
    const browser = await student();
    const { uploadId } = await notSound(browser);
    const reply = await browser.form('/api/recordings', { title: 'No sound', uploadId });
    expect([reply.status, await isOpen(uploadId)]).toEqual([415, false]);
  });

  test('a superseding reply stores the audio of its upload and deletes the upload', async () => {
    const teacher = await app.as(await app.make.teacher());
    const { id: recordingId } = await app.make.recording();
    const reply = { recordingId, clientId: crypto.randomUUID(), writtenFeedback: 'The same words' };
    expect((await teacher.form('/api/feedback', reply)).status).toBe(201);
    const { uploadId } = await uploadSong(teacher);
    const spoken = { ...reply, clientId: crypto.randomUUID(), supersedes: reply.clientId, uploadId };
    const corrected = await teacher.form('/api/feedback', spoken);
    expect([corrected.status, await isOpen(uploadId)]).toEqual([200, false]);
    expect(corrected.body.audioFeedbackUrl).not.toBeNull();
    // Sends the reply again, as if the response had been lost.
    const again = await uploadSong(teacher);
    const same = await teacher.form('/api/feedback', { ...spoken, uploadId: again.uploadId });
    expect([same.status, same.body, await isOpen(again.uploadId)]).toEqual([200, corrected.body, false]);
  });

  test('the upload of a recording that already exists is deleted', async () => {
    const browser = await student();
    const clientId = crypto.randomUUID();
    const send = async (uploadId: string) =>
      (await browser.form('/api/recordings', { title: 'Twice', clientId, uploadId })).status;
    expect(await send((await uploadSong(browser)).uploadId)).toBe(201);
    const { uploadId } = await uploadSong(browser);
    expect([await send(uploadId), await isOpen(uploadId)]).toEqual([200, false]);
  });

  test('an incomplete upload is kept when the recording is rejected', async () => {
    const browser = await student();
    const uploadId = crypto.randomUUID();
    await browser.put(`/api/uploads/${uploadId}`, { size: song.length });
    await browser.patch(`/api/uploads/${uploadId}?start=0`, song.subarray(0, CHUNK));
    const reply = await browser.form('/api/recordings', { title: 'Half', uploadId });
    expect([reply.status, await isOpen(uploadId)]).toEqual([409, true]);
  });

  test('the upload of a recording is kept after a server error', async () => {
    const browser = await student();
    const { uploadId } = await uploadSong(browser);
    during.afterStaging = () => Promise.reject(new Error('The disk is gone'));
    const reply = await browser.form('/api/recordings', { title: 'Ours', uploadId });
    expect([reply.status, await isOpen(uploadId)]).toEqual([500, true]);
    during.afterStaging = null;
    expect((await browser.form('/api/recordings', { title: 'Ours', uploadId })).status).toBe(201);
  });
});
