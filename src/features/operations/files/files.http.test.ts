import { expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { melodies } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const sound = createTone(2);
const student = await app.make.student({ levels: ['Refuge'] });
const client = await app.as(student);
/**
 * Client that connects to the program directly. The proxy of the scale tests would respond to some requests
 * itself.
 */
const direct = await app.as(student, app.direct);
const melody = await app.make.melody({ level: 'Refuge', audio: sound });
const address = `/api/files/${melody.audioUrl}?type=audio`;

test('serves a whole file with its type and with a policy that prevents scripts', async () => {
  const reply = await direct.get(address);
  expect(reply.status).toBe(200);
  expect(reply.bytes.equals(sound)).toBe(true);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'audio/wav',
    'content-length': String(sound.length),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'accept-ranges': 'bytes',
    'x-accel-buffering': 'no',
    etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
  });
  expect(reply.headers.get('vary')).toMatch(/cookie/i);
});

test('serves the byte range in the Range header, and rejects a range outside the file', async () => {
  const part = await client.get(address, { headers: { range: 'bytes=100-199' } });
  expect(part.status).toBe(206);
  expect(part.bytes.equals(sound.subarray(100, 200))).toBe(true);
  expect(part.headers.get('content-range')).toBe(`bytes 100-199/${sound.length}`);
  const outside = await client.get(address, { headers: { range: `bytes=${sound.length}-` } });
  expect(outside.status).toBe(416);
  expect(outside.headers.get('content-range')).toBe(`bytes */${sound.length}`);
  expect(outside.headers.get('content-type')).toMatch(/json/);
});

test('a cached file returns 304; If-Range with another version returns the whole file', async () => {
  const etag = (await client.get(address)).headers.get('etag')!;
  const again = await client.get(address, { headers: { 'if-none-match': `W/${etag}` } });
  expect(again.status).toBe(304);
  expect(again.bytes).toHaveLength(0);
  const range = 'bytes=0-9';
  expect((await client.get(address, { headers: { range, 'if-range': etag } })).status).toBe(206);
  expect((await client.get(address, { headers: { range, 'if-range': '"other"' } })).status).toBe(200);
});

test('after a level is revoked, the next range request for its audio returns 404', async () => {
  const listener = await app.make.student({ levels: ['Refuge'] });
  const theirs = await app.as(listener);
  expect((await theirs.get(address, { headers: { range: 'bytes=0-999' } })).status).toBe(206);
  const level = await app.make.level('Refuge');
  await teacher.delete(`/api/admin/users/${listener.id}/transmission-access/${level.id}`);
  expect((await theirs.get(address, { headers: { range: 'bytes=1000-1999' } })).status).toBe(404);
});

test('returns the same 404 for a missing type, a wrong type and invalid names', async () => {
  const name = melody.audioUrl!;
  for (const path of [
    `/api/files/${name}`,
    `/api/files/${name}?type=image`,
    `/api/files/${name}?type=`,
    '/api/files/nothing.wav?type=audio',
    `/api/files/${encodeURIComponent('../../postgres/PG_VERSION')}?type=audio`,
    `/api/files/${name}%00?type=audio`,
  ]) {
    const reply = await direct.get(path);
    expect([reply.status, reply.body], path).toEqual([404, { message: 'Not found' }]);
  }
});

test('only the student and admins can hear a recording and the reply to it', async () => {
  const owner = await app.make.student();
  const { recording, audioFeedbackUrl } = await app.make.feedback({ student: owner, spoken: true });
  const [own, other] = [await app.as(owner), client];
  for (const name of [recording.audioUrl, audioFeedbackUrl]) {
    const file = `/api/files/${name}?type=audio`;
    expect((await own.get(file)).status).toBe(200);
    expect((await teacher.get(file)).status).toBe(200);
    expect((await other.get(file)).status).toBe(404);
    expect((await app.visitor().get(file)).status).toBe(401);
  }
});

test('a picture is revalidated each time and returns 304 while its level is granted', async () => {
  const { default: sharp } = await import('sharp');
  const thumbnail = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { thumbnailUrl } = await app.make.melody({ level: 'Refuge', thumbnail });
  const viewer = await app.make.student({ levels: ['Refuge'] });
  const theirs = await app.as(viewer);
  const file = `/api/files/${thumbnailUrl}?type=image`;
  const reply = await theirs.get(file);
  expect(reply.headers.get('content-type')).toBe('image/webp');
  expect(reply.headers.get('cache-control')).toBe('private, no-cache');
  const known = { headers: { 'if-none-match': reply.headers.get('etag')! } };
  expect((await theirs.get(file, known)).status).toBe(304);
  const level = await app.make.level('Refuge');
  await teacher.delete(`/api/admin/users/${viewer.id}/transmission-access/${level.id}`);
  expect((await theirs.get(file, known)).status).toBe(404);
});

test('HEAD returns the length of a file without its content', async () => {
  const reply = await client.send('HEAD', address);
  expect([reply.status, reply.headers.get('content-length')]).toEqual([200, String(sound.length)]);
  expect(reply.bytes).toHaveLength(0);
  for (const range of ['bytes=0-9', `bytes=${sound.length}-`]) {
    const { status, headers } = await client.send('HEAD', address, undefined, { headers: { range } });
    expect([status, headers.get('content-length')], 'HEAD ignores the range').toEqual([
      200,
      String(sound.length),
    ]);
    expect(headers.get('content-range')).toBeNull();
  }
  expect((await (await app.as(await app.make.student())).send('HEAD', address)).status).toBe(404);
});

test('nobody can access a file that has no row in the database', async () => {
  const lost = await app.make.melody({ level: 'Refuge' });
  await app.db.delete(melodies).where(eq(melodies.id, lost.id));
  expect((await client.get(`/api/files/${lost.audioUrl}?type=audio`)).status).toBe(404);
});
