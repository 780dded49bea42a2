import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';
import { startAppWithUploadHooks } from '#testing/upload-hooks.ts';
import { MAX_IDLE_UPLOAD_DAYS } from '#features/uploads/limits.ts';
import type { UploadSlotName } from '#shared/kinds.ts';

const { app, during, atOnce } = await startAppWithUploadHooks();

const song = createTone(3);
const other = createTone(2, 330);
const notSound = Buffer.from('<html>not a song</html>'.repeat(500));
let picture: Uint8Array;
let account: Awaited<ReturnType<typeof app.make.teacher>>;
let teacher: TestClient;
let transmissionLevelId: number;
beforeAll(async () => {
  picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#b3541e' } })
    .jpeg()
    .toBuffer();
  account = await app.make.teacher();
  teacher = await app.as(account);
  ({ id: transmissionLevelId } = await app.make.level('Open to All'));
});
afterEach(() => {
  during.afterStaging = null;
  app.clock.reset();
});

const at = (id: string) => `/api/uploads/${id}`;

async function uploadFile(slot: UploadSlotName, file: Uint8Array, client = teacher, upTo = file.length) {
  const id = crypto.randomUUID();
  await client.put(at(id), { size: file.length, slot });
  for (let start = 0; start < upTo; start += 30_000)
    await client.patch(`${at(id)}?start=${start}`, file.subarray(start, Math.min(upTo, start + 30_000)));
  return id;
}
const audio = (file = song, client = teacher) => uploadFile('melody-audio', file, client);
const thumbnail = (file = picture) => uploadFile('melody-thumbnail', file);

const add = (parts: Record<string, string>, client = teacher) =>
  client.form('/api/melodies', { title: 'In chunks', transmissionLevelId, ...parts });
const change = (id: number, parts: Record<string, string>) =>
  teacher.form(`/api/melodies/${id}`, parts, { method: 'PUT' });
const receivedOf = async (id: string, slot: UploadSlotName, size: number) =>
  ((await teacher.put(at(id), { size, slot })).body as { received: number }).received;
const countStored = async () => [
  await app.count('melodies'),
  await app.count('media_files'),
  (await app.files()).length,
];

describe('melody files uploaded in chunks', () => {
  test('melody files uploaded in chunks are saved like files in a form', async () => {
    const before = await app.count('uploads');
    const made = await add({ audioUploadId: await audio(), thumbnailUploadId: await thumbnail() });
    expect([made.status, made.body.duration]).toEqual([201, 3]);
    const heard = await teacher.get(`/api/files/${made.body.audioUrl}?type=audio`);
    expect(heard.bytes.equals(song)).toBe(true);
    const seen = await teacher.get(`/api/files/${made.body.thumbnailUrl}?type=image`);
    expect(seen.headers.get('content-type')).toBe('image/webp');
    expect(await app.count('uploads')).toBe(before);
  });

  test('audio uploaded in chunks replaces the previous audio file, which is deleted', async () => {
    const { id } = await app.make.melody({ audio: song, thumbnail: picture });
    const before = await countStored();
    const changed = await change(id, { audioUploadId: await audio(other), removeAudio: 'true' });
    expect([changed.status, changed.body.duration]).toEqual([200, 2]);
    expect(await countStored()).toEqual(before);
  });

  test('students without the level cannot hear audio uploaded in chunks', async () => {
    const { id: level } = await app.make.level('Kept apart');
    const made = await add({ audioUploadId: await audio(), transmissionLevelId: String(level) });
    const student = await app.as(await app.make.student());
    expect((await student.get(`/api/files/${made.body.audioUrl}?type=audio`)).status).toBe(404);
    expect((await student.get(`/api/melodies/${made.body.id}`)).status).toBe(404);
  });

  test('files uploaded in chunks are validated, and only the rejected file is deleted', async () => {
    const before = await countStored();
    const audioUploadId = await audio();
    const asPicture = await thumbnail(notSound);
    const refused = await add({ audioUploadId, thumbnailUploadId: asPicture });
    expect([refused.status, refused.body.issues]).toEqual([
      415,
      [expect.objectContaining({ path: 'thumbnail' })],
    ]);
    expect(await receivedOf(audioUploadId, 'melody-audio', song.length)).toBe(song.length);
    expect(await receivedOf(asPicture, 'melody-thumbnail', notSound.length)).toBe(0);

    const thumbnailUploadId = await thumbnail();
    const noSound = await audio(notSound);
    const again = await add({ audioUploadId: noSound, thumbnailUploadId });
    expect([again.status, again.body.issues]).toEqual([
      415,
      [expect.objectContaining({ path: 'audioFile' })],
    ]);
    expect(await receivedOf(noSound, 'melody-audio', notSound.length)).toBe(0);
    expect(await countStored()).toEqual(before);
    expect((await add({ audioUploadId, thumbnailUploadId })).status).toBe(201);
  });

  test('files uploaded in chunks are kept if the title or level is rejected', async () => {
    const audioUploadId = await audio();
    expect((await add({ audioUploadId, title: ' ' })).status).toBe(400);
    expect((await add({ audioUploadId, transmissionLevelId: '999999' })).status).toBe(404);
    expect((await change(999_999, { audioUploadId })).status).toBe(404);
    expect((await add({ audioUploadId })).status).toBe(201);
  });
});

describe('uploads that can’t be used', () => {
  test('does not create a melody from another user’s upload', async () => {
    const audioUploadId = await audio();
    const another = await app.as(await app.make.teacher());
    const before = await countStored();
    expect((await add({ audioUploadId }, another)).status).toBe(409);
    const student = await app.as(await app.make.student());
    expect((await add({ audioUploadId }, student)).status).toBe(403);
    expect(await countStored()).toEqual(before);
    expect((await add({ audioUploadId })).status).toBe(201);
  });

  test('does not create a melody from an upload that was started for another purpose', async () => {
    const before = await countStored();
    const asReply = await uploadFile('feedback-audio', song);
    const asPicture = await thumbnail();
    for (const parts of [
      { audioUploadId: asReply },
      { audioUploadId: asPicture },
      { thumbnailUploadId: asReply },
    ]) {
      const reply = await add(parts);
      expect([reply.status, reply.body.message]).toEqual([
        409,
        'This upload was started for another purpose. Please send the file again.',
      ]);
    }
    expect(await countStored()).toEqual(before);
  });

  test('does not create a melody from an upload until the upload is complete', async () => {
    const id = await uploadFile('melody-audio', song, teacher, 30_000);
    const before = await countStored();
    expect((await add({ audioUploadId: id })).status).toBe(409);
    expect(await countStored()).toEqual(before);
    expect(await receivedOf(id, 'melody-audio', song.length)).toBe(30_000);
    await teacher.patch(`${at(id)}?start=30000`, song.subarray(30_000));
    expect((await add({ audioUploadId: id })).status).toBe(201);
  });

  test('does not create a melody from an expired upload', async () => {
    app.clock.set(new Date());
    const id = await audio();
    app.clock.advance((MAX_IDLE_UPLOAD_DAYS + 1) * 24 * 3_600_000);
    await app.services.uploads.deleteOld();
    // Signs the teacher in again, because the session has expired too.
    teacher = await app.as(account);
    expect((await add({ audioUploadId: id })).status).toBe(409);
    expect(await receivedOf(id, 'melody-audio', song.length)).toBe(0);
  });

  test('does not create a melody if its upload is cancelled while being read', async () => {
    const id = await audio();
    const before = await countStored();
    during.afterStaging = () => teacher.delete(at(id));
    const reply = await add({ audioUploadId: id });
    expect([reply.status, reply.body.message]).toEqual([
      409,
      'The file is no longer complete on the server. Please send it again.',
    ]);
    expect(await countStored()).toEqual(before);
  });

  test('after a server error, the uploads are kept and the next call creates the melody', async () => {
    const parts = { audioUploadId: await audio(), thumbnailUploadId: await thumbnail() };
    const before = await countStored();
    during.afterStaging = () => Promise.reject(new Error('The disk is gone'));
    expect((await add(parts)).status).toBe(500);
    expect(await countStored()).toEqual(before);
    during.afterStaging = null;
    expect((await add(parts)).status).toBe(201);
  });
});

describe('a repeated call', () => {
  test('adding a melody again after a lost response returns the first melody', async () => {
    const parts = { clientId: crypto.randomUUID(), audioUploadId: await audio() };
    const first = await add(parts);
    const before = await countStored();
    const second = await add({ ...parts, title: 'Whatever else is sent' });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    expect(await countStored()).toEqual(before);
  });

  test('concurrent calls with the same idempotency key add one melody', async () => {
    const parts = { clientId: crypto.randomUUID(), audioUploadId: await audio() };
    const before = await app.count('melodies');
    const replies = await atOnce([() => add(parts), () => add(parts)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(replies[0]!.body.id).toBe(replies[1]!.body.id);
    expect(await app.count('melodies')).toBe(before + 1);
  });

  test('concurrent calls with the same upload add one melody', async () => {
    const audioUploadId = await audio();
    const before = await countStored();
    const replies = await atOnce([() => add({ audioUploadId }), () => add({ audioUploadId })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await countStored()).toEqual(before.map((count) => count + 1));
  });

  test('a repeated change applies once, and is rejected after a later change', async () => {
    const { id } = await app.make.melody();
    const parts = { clientId: crypto.randomUUID(), audioUploadId: await audio(other) };
    const first = await change(id, parts);
    const second = await change(id, parts);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    await change(id, { title: 'Changed since' });
    expect((await change(id, parts)).status).toBe(409);
  });

  test('a repeated call does not recreate a deleted melody', async () => {
    const parts = { clientId: crypto.randomUUID() };
    const { body } = await add(parts);
    expect((await teacher.delete(`/api/melodies/${body.id}`)).status).toBe(200);
    expect((await add(parts)).status).toBe(409);
  });

  test('the same idempotency key from two users adds two melodies', async () => {
    const clientId = crypto.randomUUID();
    const another = await app.as(await app.make.teacher());
    const [mine, theirs] = [await add({ clientId }), await add({ clientId }, another)];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });
});
