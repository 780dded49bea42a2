import { afterAll, expect, inject, test } from 'vitest';
import { STORAGE_UNREACHABLE_MESSAGE } from '#server/data-folder/data-folder.ts';
import { startTestApp } from '#testing/app.ts';
import { startCephGateway, type CephGateway, type TestS3 } from '#testing/ceph.ts';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';

// Tests an S3 store that fails while people are using the program, and then recovers.

const song = createTone(3);
const s3 = inject('s3') as TestS3 | undefined;
const gateway: CephGateway | null = s3 ? await startCephGateway(s3) : null;
afterAll(() => gateway?.kill());
const app = await startTestApp({ environment: gateway ? { S3_ENDPOINT: gateway.endpoint } : {} });
const student = await app.make.student();
const browser = await app.as(student);

async function inChunks(client: TestClient) {
  const uploadId = crypto.randomUUID();
  await client.put(`/api/uploads/${uploadId}`, { size: song.length });
  for (let start = 0; start < song.length; start += 40_000) {
    const reply = await client.patch(
      `/api/uploads/${uploadId}?start=${start}`,
      song.subarray(start, start + 40_000),
    );
    expect(reply.status).toBe(200);
  }
  return uploadId;
}

const submit = (uploadId: string) =>
  browser.form('/api/recordings', { title: 'Kyab', uploadId, clientId: uploadId });
const fetchSound = (name: string, headers = {}) => browser.get(`/api/files/${name}?type=audio`, { headers });
const ready = async () => (await app.visitor().get('/api/ready')).status;
const damaged = async () => {
  const { rows } = await app.db.execute('select name from media_files where damage is not null');
  return rows;
};

test('while the store is down, users get an error quickly and nothing is lost', async () => {
  const { audioUrl: before } = (await submit(await inChunks(browser))).body as { audioUrl: string };
  const etag = (await fetchSound(before)).headers.get('etag')!;
  const files = await app.files();
  await gateway!.kill();

  const uploadId = await inChunks(browser);
  const began = performance.now();
  const refused = await submit(uploadId);
  expect(performance.now() - began).toBeLessThan(10_000);
  expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
    503,
    { message: STORAGE_UNREACHABLE_MESSAGE },
    '5',
  ]);
  for (const headers of [{}, { range: 'bytes=0-99' }])
    expect(await fetchSound(before, headers)).toMatchObject({
      status: 503,
      body: { message: STORAGE_UNREACHABLE_MESSAGE },
    });
  // The server validates the browser's cached copy without the store.
  expect((await fetchSound(before, { 'if-none-match': etag })).status).toBe(304);
  expect((await browser.get('/api/melodies')).status).toBe(200);
  expect((await browser.get('/api/student/recordings')).body).toHaveLength(1);
  expect(await ready()).toBe(503);
  await expect(app.services.fileRounds({ before: new Date(), read: 'none' })).rejects.toMatchObject({
    code: 'unavailable',
  });
  await expect(app.services.fileRounds({ before: new Date(0), read: 'share' })).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(await damaged()).toEqual([]);

  await gateway!.restart();
  expect(await ready()).toBe(200);
  expect((await fetchSound(before)).bytes.equals(song)).toBe(true);
  // The recording is submitted without sending the file again.
  const submitted = await submit(uploadId);
  expect(submitted.status).toBe(201);
  expect((await fetchSound(submitted.body.audioUrl as string)).bytes.equals(song)).toBe(true);
  expect((await app.files()).length).toBe(files.length + 1);
});

test('deletes a recording while the store is down, and sweeps its file later', async () => {
  const { id, audioUrl } = (await submit(await inChunks(browser))).body as { id: number; audioUrl: string };
  await gateway!.kill();
  expect((await browser.delete(`/api/recordings/${id}`)).status).toBe(200);
  await gateway!.restart();
  expect((await fetchSound(audioUrl)).status).toBe(404);
  expect(await app.files()).toContain(audioUrl);
  await app.services.fileRounds({ before: new Date(Date.now() + 60_000), read: 'none' });
  expect(await app.files()).not.toContain(audioUrl);
});

test('a store killed during an upload has no partial file, and a retry works', async () => {
  const large = createTone(100, 220, 48_000);
  const staged = await app.make.staged(large);
  const publishing = app.store.publish(staged.path, 'aa-large.wav');
  await gateway!.kill();
  await expect(publishing).rejects.toMatchObject({ code: 'unavailable' });
  await gateway!.restart();
  expect(await app.store.open('aa-large.wav', { start: 0 })).toBeNull();
  await app.store.publish(staged.path, 'aa-large.wav');
  const { bytes, size } = (await app.store.read('aa-large.wav', { start: 0, end: large.length - 1 }))!;
  expect([size, bytes.equals(large)]).toEqual([large.length, true]);
});
