import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getMediaFilePath } from '#server/media/layout.ts';
import { startTestApp } from '#testing/app.ts';
import { DISK_MEDIA_ENVIRONMENT } from '#testing/s3.ts';
import { createTone } from '#testing/tone.ts';

// Tests that nginx sends media files from the disk after the program has authorized the request.

const app = await startTestApp({ environment: { ...DISK_MEDIA_ENVIRONMENT, MEDIA_ACCEL: '/stored' } });
const sound = createTone(2);
const picture = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#7a1e2c' } })
  .png()
  .toBuffer();
const student = await app.make.student({ levels: ['Refuge'] });
const browser = await app.as(student);
const melody = await app.make.melody({ level: 'Refuge', audio: sound });
const address = `/api/files/${melody.audioUrl}?type=audio`;

/** A client of the same user that connects to the program directly, without nginx. */
const direct = await app.as(student, app.direct);

test('nginx sends an authorized file, whole or as a byte range', async () => {
  const told = await direct.get(address);
  expect(told.bytes).toHaveLength(0);
  expect(told.headers.get('x-accel-redirect')).toBe(
    `/stored/${melody.audioUrl!.slice(0, 2)}/${melody.audioUrl}`,
  );

  const whole = await browser.get(address);
  expect(whole.status).toBe(200);
  expect(whole.bytes.equals(sound)).toBe(true);
  expect(whole.headers.get('x-accel-redirect')).toBeNull();
  const etag = told.headers.get('etag')!;
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'audio/wav',
    'content-length': String(sound.length),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'accept-ranges': 'bytes',
    etag,
  });

  const range = 'bytes=100-199';
  const part = await browser.get(address, { headers: { range } });
  expect(part.status).toBe(206);
  expect(part.bytes.equals(sound.subarray(100, 200))).toBe(true);
  expect((await browser.get(address, { headers: { range, 'if-range': etag } })).status).toBe(206);
  expect((await browser.get(address, { headers: { range, 'if-range': '"other"' } })).status).toBe(200);
  expect((await browser.get(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
});

test('rejects users without access, and requests for nginx’s internal path', async () => {
  const stranger = await app.as(await app.make.student());
  expect(await stranger.get(address)).toMatchObject({ status: 404, body: { message: 'Not found' } });
  expect((await app.visitor().get(address)).status).toBe(401);
  const path = (await direct.get(address)).headers.get('x-accel-redirect')!;
  for (const client of [browser, stranger, app.visitor()]) expect((await client.get(path)).status).toBe(404);
});

test('the program itself sends pictures, without nginx', async () => {
  const { thumbnailUrl } = await app.make.melody({ level: 'Refuge', thumbnail: picture });
  const reply = await direct.get(`/api/files/${thumbnailUrl}?type=image`);
  expect(reply.headers.get('x-accel-redirect')).toBeNull();
  expect(reply.bytes.length).toBeGreaterThan(0);
});

test('returns 503 for a missing or truncated file, and finds files in media/set-aside', async () => {
  const [lost, cut] = [
    await app.make.melody({ level: 'Refuge', audio: createTone(1) }),
    await app.make.melody({ level: 'Refuge', audio: createTone(1) }),
  ];
  await app.media.remove(getMediaFilePath(lost.audioUrl!));
  await app.media.write(getMediaFilePath(cut.audioUrl!), createTone(1).subarray(0, 1000));
  for (const { audioUrl } of [lost, cut])
    expect((await browser.get(`/api/files/${audioUrl}?type=audio`)).status).toBe(503);

  await app.store.aside.begin('2026-11-22');
  await app.store.aside.put(melody.audioUrl!, '2026-11-22');
  expect((await browser.get(address)).bytes.equals(sound)).toBe(true);
});
