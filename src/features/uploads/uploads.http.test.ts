import { EMPTY_FILE_MESSAGE } from '#shared/audio-rejections.ts';
import type { UploadSlotName } from '#shared/kinds.ts';
import { uploadSlots } from '#app/upload-slots.ts';
import { appendFile, rm, truncate } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';
import {
  MAX_OPEN_UPLOAD_BYTES,
  MAX_OPEN_UPLOADS,
  MAX_UPLOAD_CHUNK_BYTES,
  MIN_UPLOAD_CHUNK_BYTES,
  MAX_IDLE_UPLOAD_DAYS,
  MAX_UPLOAD_AGE_DAYS,
  UPLOAD_EVICTION_IDLE_MINUTES,
} from './limits.ts';

const app = await startTestApp();
const song = createTone(3);
const student = async () => app.as(await app.make.student());
const at = (clientId: string) => `/api/uploads/${clientId}`;

/** Starts or resumes the upload of a file, and sends the missing bytes in chunks. */
async function sendRest(client: TestClient, clientId: string, file: Uint8Array, slot?: UploadSlotName) {
  const begun = await client.put(at(clientId), { size: file.length, slot });
  let { received } = begun.body as { received: number };
  while (received < file.length) {
    const chunk = file.subarray(received, received + 40_000);
    const reply = await client.patch(`${at(clientId)}?start=${received}`, chunk);
    expect(reply.status).toBe(200);
    received = reply.body.received as number;
  }
}

test('a recording that is sent in chunks is stored unchanged', async () => {
  const browser = await student();
  const clientId = crypto.randomUUID();
  await sendRest(browser, clientId, song);
  const reply = await browser.form('/api/recordings', { title: 'In chunks', clientId, uploadId: clientId });
  expect([reply.status, reply.body.duration]).toEqual([201, 3]);
  const heard = await browser.get(`/api/files/${reply.body.audioUrl}?type=audio`);
  expect(heard.bytes.equals(song)).toBe(true);
  expect([await app.count('uploads'), await app.partials.list()]).toEqual([0, []]);
});

test('resumes an upload after the connection drops', async () => {
  const browser = await student();
  const clientId = crypto.randomUUID();
  await browser.put(at(clientId), { size: song.length });
  await browser.patch(`${at(clientId)}?start=0`, song.subarray(0, 30_000));
  const again = await browser.put(at(clientId), { size: song.length });
  expect(again.body).toEqual({ received: 30_000 });
  await sendRest(browser, clientId, song);
  const reply = await browser.form('/api/recordings', { title: 'Resumed', uploadId: clientId });
  expect(reply.status).toBe(201);
});

test('stores a chunk once, even if it is sent several times concurrently', async () => {
  const browser = await student();
  const clientId = crypto.randomUUID();
  await browser.put(at(clientId), { size: song.length });
  const send = () => browser.patch(`${at(clientId)}?start=0`, song.subarray(0, 30_000));
  const replies = [...(await Promise.all([send(), send(), send()])), await send()];
  expect(replies.map(({ status, body }) => [status, body.received])).toEqual(Array(4).fill([200, 30_000]));
  await sendRest(browser, clientId, song);
  const reply = await browser.form('/api/recordings', { title: 'Once', uploadId: clientId });
  const heard = await browser.get(`/api/files/${reply.body.audioUrl}?type=audio`);
  expect(heard.bytes.equals(song)).toBe(true);
});

test('rejects an empty file with an explanation', async () => {
  const browser = await student();
  const reply = await browser.put(at(crypto.randomUUID()), { size: 0 });
  expect([reply.status, reply.body.message]).toEqual([400, EMPTY_FILE_MESSAGE]);
});

test('rejects chunks that leave a gap, are too large or have an invalid start', async () => {
  const browser = await student();
  const clientId = crypto.randomUUID();
  await browser.put(at(clientId), { size: 10 });
  const gap = await browser.patch(`${at(clientId)}?start=4`, song.subarray(4, 8));
  expect([gap.status, gap.body.message]).toEqual([
    409,
    'An earlier part of this file is missing. Please send the file again.',
  ]);
  expect((await browser.patch(`${at(clientId)}?start=0`, song.subarray(0, 11))).status).toBe(413);
  expect(
    (await browser.patch(`${at(clientId)}?start=0`, new Uint8Array(MAX_UPLOAD_CHUNK_BYTES + 1))).status,
  ).toBe(413);
  for (const query of ['start=x', 'start=-1', 'start=1.5', 'start=', 'start=%20', 'start=0&start=0', ''])
    expect((await browser.patch(`${at(clientId)}?${query}`, song.subarray(0, 4))).status, query).toBe(400);
  expect((await browser.patch(`${at(clientId)}?start=4`, { not: 'bytes' })).status).toBe(415);
});

test('rejects a recording whose upload is incomplete and accepts it once complete', async () => {
  const browser = await student();
  const clientId = crypto.randomUUID();
  await browser.put(at(clientId), { size: song.length });
  await browser.patch(`${at(clientId)}?start=0`, song.subarray(0, 10_000));
  const send = () => browser.form('/api/recordings', { title: 'Too early', clientId, uploadId: clientId });
  const early = await send();
  expect(early.status).toBe(409);
  expect((await browser.get('/api/student/recordings')).body).toEqual([]);
  await sendRest(browser, clientId, song);
  const together = await Promise.all([send(), send(), send()]);
  expect(together.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  expect(await send()).toMatchObject({ status: 200, body: { id: together[0].body.id } });
});

test('rejects a recording whose upload is not audio, and does not store the file', async () => {
  const browser = await student();
  const clientId = crypto.randomUUID();
  await sendRest(browser, clientId, Buffer.from('<html>not a song</html>'.repeat(50)));
  const before = [await app.count('recordings'), (await app.files()).length];
  const reply = await browser.form('/api/recordings', { title: 'A page', uploadId: clientId });
  expect(reply.status).toBe(415);
  expect([await app.count('recordings'), (await app.files()).length]).toEqual(before);
});

test('a user cannot access another user’s upload', async () => {
  const owner = await student();
  const clientId = crypto.randomUUID();
  await sendRest(owner, clientId, song);
  const other = await student();
  expect((await other.patch(`${at(clientId)}?start=0`, song.subarray(0, 4))).status).toBe(404);
  expect((await other.form('/api/recordings', { title: 'Stolen', uploadId: clientId })).status).toBe(409);
  await other.delete(at(clientId));
  expect((await owner.put(at(clientId), { size: song.length })).body).toEqual({ received: song.length });
});

test('limits the size of an upload and the number of open uploads per user', async () => {
  const browser = await student();
  const clientId = crypto.randomUUID();
  expect(
    (await browser.put(at(clientId), { size: uploadSlots['recording-audio'].tooLargeFrom })).body,
  ).toEqual({
    message: 'Please select a file smaller than 10MB.',
  });
  for (const size of [0, -1, 1.5, 'x', null])
    expect((await browser.put(at(clientId), { size })).status).toBe(400);
  expect((await browser.put(at('not-an-id'), { size: 1 })).status).toBe(404);
  await browser.put(at(clientId), { size: 7 });
  expect((await browser.put(at(clientId), { size: 8 })).status).toBe(409);
  for (let count = 1; count < MAX_OPEN_UPLOADS; count += 1)
    expect((await browser.put(at(crypto.randomUUID()), { size: 7 })).status).toBe(200);
  expect((await browser.put(at(crypto.randomUUID()), { size: 7 })).status).toBe(429);
  await browser.delete(at(clientId));
  expect((await browser.put(at(crypto.randomUUID()), { size: 7 })).status).toBe(200);
});

describe('upload slots', () => {
  const begin = (client: TestClient, size: number, slot?: string) =>
    client.put(at(crypto.randomUUID()), { size, ...(slot && { slot }) });
  const teacher = async () => app.as(await app.make.teacher());
  afterEach(() => app.clock.reset());

  test('rejects an upload slot that the caller’s role may not use', async () => {
    const browser = await student();
    const before = await app.count('uploads');
    for (const slot of ['melody-audio', 'melody-thumbnail', 'feedback-audio'])
      for (const size of [7, 100 * 1024 * 1024])
        expect((await begin(browser, size, slot)).status, slot).toBe(403);
    expect((await begin(browser, 100 * 1024 * 1024)).status).toBe(413);
    for (const slot of ['melody-playback', 'anything', '', 'toString'])
      expect((await begin(browser, 7, slot || ' ')).status, slot).toBe(400);
    expect((await begin(await teacher(), 7, 'recording-audio')).status).toBe(403);
    expect(await app.count('uploads')).toBe(before);
  });

  test('each upload slot has its own maximum size and error message', async () => {
    const browser = await teacher();
    for (const slot of ['melody-audio', 'melody-thumbnail', 'feedback-audio'] as const) {
      const { tooLargeFrom, tooLargeMessage } = uploadSlots[slot];
      const tooLarge = await begin(browser, tooLargeFrom, slot);
      expect([tooLarge.status, tooLarge.body.message]).toEqual([413, tooLargeMessage]);
      expect((await begin(browser, tooLargeFrom - 1, slot)).status).toBe(200);
    }
  });

  test('the slot of an upload cannot be changed after the upload has started', async () => {
    const browser = await teacher();
    const clientId = crypto.randomUUID();
    await browser.put(at(clientId), { size: 7, slot: 'melody-audio' });
    for (const slot of ['feedback-audio', 'melody-thumbnail', undefined])
      expect((await browser.put(at(clientId), { size: 7, slot })).status).toBe(409);
    expect((await browser.put(at(clientId), { size: 7, slot: 'melody-audio' })).status).toBe(200);
  });

  test('an upload that was started for a melody can’t become the audio of a reply', async () => {
    const browser = await teacher();
    const uploadId = crypto.randomUUID();
    await browser.put(at(uploadId), { size: song.length, slot: 'melody-audio' });
    await sendRest(browser, uploadId, song, 'melody-audio');
    const recording = await app.make.recording();
    const reply = await browser.form('/api/feedback', { recordingId: recording.id, uploadId });
    expect([reply.status, reply.body.message]).toEqual([
      409,
      'This upload was started for another purpose. Please send the file again.',
    ]);
    const { id: transmissionLevelId } = await app.make.level('Open to All');
    const melody = { title: 'It', transmissionLevelId, audioUploadId: uploadId };
    expect((await browser.form('/api/melodies', melody)).status).toBe(201);
  });

  test('limits the total size of open uploads, and replaces an idle upload', async () => {
    app.clock.set(new Date());
    const browser = await teacher();
    const size = 100 * 1024 * 1024;
    const taken = Math.floor(MAX_OPEN_UPLOAD_BYTES / size);
    for (let count = 0; count < taken; count += 1)
      expect((await begin(browser, size, 'melody-audio')).status).toBe(200);
    expect((await begin(browser, size, 'melody-audio')).status).toBe(429);
    expect((await begin(browser, 7, 'feedback-audio')).status).toBe(200);
    app.clock.advance(UPLOAD_EVICTION_IDLE_MINUTES * 60_000);
    expect((await begin(browser, size, 'melody-audio')).status).toBe(200);
  });
});

test('concurrent starts do not exceed the limit on open uploads', async () => {
  const browser = await student();
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => browser.put(at(crypto.randomUUID()), { size: 7 })),
  );
  const taken = replies.filter(({ status }) => status === 200);
  expect(taken).toHaveLength(MAX_OPEN_UPLOADS);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(60 - MAX_OPEN_UPLOADS);
});

test('concurrent requests to start the last allowed upload start it once', async () => {
  const browser = await student();
  for (let count = 1; count < MAX_OPEN_UPLOADS; count += 1)
    await browser.put(at(crypto.randomUUID()), { size: 7 });
  const clientId = crypto.randomUUID();
  const replies = await Promise.all([1, 2, 3].map(() => browser.put(at(clientId), { size: 7 })));
  expect(replies.map(({ status, body }) => [status, body.received])).toEqual(Array(3).fill([200, 0]));
});

describe('at the limit on open uploads', () => {
  afterEach(() => app.clock.reset());
  const MINUTE_MS = 60_000;
  const begun = async (client: TestClient) => {
    const clientId = crypto.randomUUID();
    return { clientId, reply: await client.put(at(clientId), { size: song.length }) };
  };
  const all = async (client: TestClient) => {
    const made: string[] = [];
    for (let count = 0; count < MAX_OPEN_UPLOADS; count += 1) {
      made.push((await begun(client)).clientId);
      app.clock.advance(MINUTE_MS);
    }
    return made;
  };
  const stillThere = async (clientIds: string[]) => {
    const { rows } = await app.db.execute<{ id: string }>(sql`select client_id as id from uploads`);
    return clientIds.filter((clientId) => rows.some(({ id }) => id === clientId));
  };

  test('at the limit, a new upload replaces the upload that has been idle longest', async () => {
    app.clock.set(new Date());
    const browser = await student();
    const other = await all(await student());
    const own = await all(browser);
    // Adds a chunk to the first upload, so the second has now been idle longest. The other student's uploads
    // have been idle even longer, but must not be replaced.
    await browser.patch(`${at(own[0]!)}?start=0`, song.subarray(0, 10_000));
    app.clock.advance((UPLOAD_EVICTION_IDLE_MINUTES - MAX_OPEN_UPLOADS) * MINUTE_MS);
    const tooSoon = await begun(browser);
    expect([tooSoon.reply.status, tooSoon.reply.headers.get('retry-after')]).toEqual([429, '60']);
    app.clock.advance(MINUTE_MS);
    expect((await begun(browser)).reply.status).toBe(200);
    expect(await stillThere(own)).toEqual([own[0]!, ...own.slice(2)]);
    expect(await stillThere(other)).toEqual(other);
    expect((await begun(browser)).reply.status).toBe(429);
  });

  test('at the limit, each concurrent start replaces one idle upload or gets 429', async () => {
    app.clock.set(new Date());
    const browser = await student();
    const own = await all(browser);
    app.clock.advance((UPLOAD_EVICTION_IDLE_MINUTES - MAX_OPEN_UPLOADS + 2) * MINUTE_MS);
    const more = await Promise.all(Array.from({ length: 5 }, () => begun(browser)));
    expect(more.map(({ reply }) => reply.status).sort()).toEqual([200, 200, 200, 429, 429]);
    expect(await stillThere(own)).toEqual(own.slice(3));
  });

  test('an upload that was replaced starts again from the beginning', async () => {
    app.clock.set(new Date());
    const browser = await student();
    const [oldest] = await all(browser);
    await browser.patch(`${at(oldest!)}?start=0`, song.subarray(0, 10_000));
    app.clock.advance(2 * UPLOAD_EVICTION_IDLE_MINUTES * MINUTE_MS);
    for (let count = 0; count < MAX_OPEN_UPLOADS; count += 1)
      expect((await begun(browser)).reply.status).toBe(200);
    expect(await stillThere([oldest!])).toEqual([]);
    app.clock.advance(UPLOAD_EVICTION_IDLE_MINUTES * MINUTE_MS);
    expect((await browser.put(at(oldest!), { size: song.length })).body).toEqual({ received: 0 });
  });
});

test('rejects chunks smaller than 8 KB, except for the last chunk', async () => {
  const browser = await student();
  const clientId = crypto.randomUUID();
  const append = (start: number, end: number) =>
    browser.patch(`${at(clientId)}?start=${start}`, song.subarray(start, end));
  await browser.put(at(clientId), { size: 16_001 });
  const dust = await append(0, MIN_UPLOAD_CHUNK_BYTES - 1);
  expect([dust.status, dust.body.message]).toEqual([
    400,
    'A chunk must have at least 8,000 bytes, unless it is the last.',
  ]);
  expect((await append(0, 0)).body).toEqual({ received: 0 });
  expect((await append(0, 8_000)).body).toEqual({ received: 8_000 });
  // These bytes have already been received, so the minimum size of a chunk does not apply.
  expect((await append(4, 5)).body).toEqual({ received: 8_000 });
  expect((await append(8_000, 16_000)).body).toEqual({ received: 16_000 });
  expect((await append(16_000, 16_001)).body).toEqual({ received: 16_001 });
});

describe('the file of an upload', () => {
  const fileOf = async (clientId: string) => {
    const { rows } = await app.db.execute<{ file: string }>(
      sql`select file from uploads where client_id = ${clientId}`,
    );
    return join(app.dataDir, 'uploads', rows[0]!.file);
  };
  async function begun(received: number) {
    const browser = await student();
    const clientId = crypto.randomUUID();
    await browser.put(at(clientId), { size: song.length });
    await browser.patch(`${at(clientId)}?start=0`, song.subarray(0, received));
    return { browser, clientId };
  }
  const isHeard = async ({ browser, clientId }: Awaited<ReturnType<typeof begun>>) => {
    const reply = await browser.form('/api/recordings', { title: 'Sung', uploadId: clientId });
    const heard = await browser.get(`/api/files/${reply.body.audioUrl}?type=audio`);
    return heard.bytes.equals(song);
  };

  test('after a crash, the next chunk overwrites bytes that were not acknowledged', async () => {
    const upload = await begun(20_000);
    // Simulates the state after a crash between writing the file and updating its row.
    await appendFile(await fileOf(upload.clientId), Buffer.alloc(9_000, 7));
    expect((await upload.browser.put(at(upload.clientId), { size: song.length })).body).toEqual({
      received: 20_000,
    });
    await sendRest(upload.browser, upload.clientId, song);
    expect(await isHeard(upload)).toBe(true);
  });

  test.each([
    ['is missing', (file: string) => rm(file)],
    ['is shorter than the acknowledged bytes', (file: string) => truncate(file, 9_000)],
  ])('an upload starts again from the beginning if its file %s', async (_, damage) => {
    const upload = await begun(20_000);
    await damage(await fileOf(upload.clientId));
    const next = await upload.browser.patch(
      `${at(upload.clientId)}?start=20000`,
      song.subarray(20_000, 30_000),
    );
    expect(next.status).toBe(409);
    expect((await upload.browser.put(at(upload.clientId), { size: song.length })).body).toEqual({
      received: 0,
    });
    await sendRest(upload.browser, upload.clientId, song);
    expect(await isHeard(upload)).toBe(true);
  });

  test('a complete upload whose file is missing can be sent again', async () => {
    const upload = await begun(20_000);
    await sendRest(upload.browser, upload.clientId, song);
    await rm(await fileOf(upload.clientId));
    const reply = await upload.browser.form('/api/recordings', { title: 'Gone', uploadId: upload.clientId });
    expect([reply.status, reply.body.message]).toEqual([
      409,
      'The file is no longer complete on the server. Please send it again.',
    ]);
    await sendRest(upload.browser, upload.clientId, song);
    expect(await isHeard(upload)).toBe(true);
  });

  test('the file of an upload is deleted with the upload or with the owner’s account', async () => {
    const upload = await begun(20_000);
    const file = basename(await fileOf(upload.clientId));
    await upload.browser.delete(at(upload.clientId));
    expect(await app.partials.list()).not.toContain(file);
    const owner = await app.make.student();
    const browser = await app.as(owner);
    const clientId = crypto.randomUUID();
    await browser.put(at(clientId), { size: song.length });
    await browser.patch(`${at(clientId)}?start=0`, song.subarray(0, 20_000));
    const left = basename(await fileOf(clientId));
    const teacher = await app.as(await app.make.teacher());
    expect((await teacher.delete(`/api/admin/users/${owner.id}`)).status).toBe(200);
    const other = await begun(10_000);
    await app.services.uploads.deleteOld();
    expect(await app.partials.list()).not.toContain(left);
    expect(await app.partials.list()).toContain(basename(await fileOf(other.clientId)));
  });

  test('a later upload with the same id does not overwrite the stored recording', async () => {
    const upload = await begun(20_000);
    await sendRest(upload.browser, upload.clientId, song);
    const reply = await upload.browser.form('/api/recordings', { title: 'First', uploadId: upload.clientId });
    await upload.browser.put(at(upload.clientId), { size: song.length });
    await upload.browser.patch(`${at(upload.clientId)}?start=0`, Buffer.alloc(30_000, 9));
    const heard = await upload.browser.get(`/api/files/${reply.body.audioUrl}?type=audio`);
    expect(heard.bytes.equals(song)).toBe(true);
  });
});

describe('deletion of old uploads', () => {
  const longSong = createTone(8);
  const DAY_MS = 24 * 3_600_000;
  const isThere = async (clientId: string) => {
    const { rows } = await app.db.execute(sql`select 1 from uploads where client_id = ${clientId}`);
    return rows.length > 0;
  };
  const daysLater = async (days: number) => {
    app.clock.advance(days * DAY_MS);
    await app.services.uploads.deleteOld();
  };
  afterEach(() => app.clock.reset());

  test('deletes uploads that have been idle for two weeks', async () => {
    const browser = await student();
    const clientId = crypto.randomUUID();
    await sendRest(browser, clientId, longSong);
    await daysLater(MAX_IDLE_UPLOAD_DAYS - 1);
    expect(await isThere(clientId)).toBe(true);
    await daysLater(2);
    expect(await isThere(clientId)).toBe(false);
    expect(await app.partials.list()).toEqual([]);
  });

  test('keeps an upload that receives a chunk every 13 days', async () => {
    const browser = await student();
    const clientId = crypto.randomUUID();
    await browser.put(at(clientId), { size: longSong.length });
    for (let start = 0; start < 60_000; start += 10_000) {
      const chunk = await browser.patch(
        `${at(clientId)}?start=${start}`,
        longSong.subarray(start, start + 10_000),
      );
      expect(chunk.body).toEqual({ received: start + 10_000 });
      await daysLater(MAX_IDLE_UPLOAD_DAYS - 1);
      expect(await isThere(clientId)).toBe(true);
    }
    await sendRest(browser, clientId, longSong);
    const reply = await browser.form('/api/recordings', { title: 'Slowly', uploadId: clientId });
    expect(reply.status).toBe(201);
  });

  test('deletes an idle upload despite status requests and repeated chunks', async () => {
    const browser = await student();
    const clientId = crypto.randomUUID();
    const again = async () => {
      await browser.put(at(clientId), { size: longSong.length });
      await browser.patch(`${at(clientId)}?start=0`, longSong.subarray(0, 10_000));
    };
    await again();
    await daysLater(MAX_IDLE_UPLOAD_DAYS - 1);
    await again();
    await daysLater(2);
    expect(await isThere(clientId)).toBe(false);
  });

  test('deletes an upload after three months, even if it is still growing', async () => {
    const browser = await student();
    const clientId = crypto.randomUUID();
    await browser.put(at(clientId), { size: longSong.length });
    let start = 0;
    const oneMoreChunk = async () => {
      const chunk = await browser.patch(
        `${at(clientId)}?start=${start}`,
        longSong.subarray(start, start + 8_000),
      );
      start += 8_000;
      expect(chunk.body).toEqual({ received: start });
    };
    for (let day = 10; day < MAX_UPLOAD_AGE_DAYS; day += 10) {
      await oneMoreChunk();
      await daysLater(10);
      expect(await isThere(clientId)).toBe(true);
    }
    await oneMoreChunk();
    await daysLater(11);
    expect(await isThere(clientId)).toBe(false);
  });
});
