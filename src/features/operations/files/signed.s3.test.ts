import { expect, inject, test } from 'vitest';
import { getMediaFilePath } from '#server/media/layout.ts';
import { startTestApp } from '#testing/app.ts';
import { TEST_BUCKET } from '#testing/ceph.ts';
import { createTone } from '#testing/tone.ts';
import { SIGNED_URL_TTL_SECONDS, getMediaStoreOrigin } from './server/delegate-file.ts';

// Tests audio that the browser fetches directly from the store, after the program has authorized the request.

const app = await startTestApp({ environment: inject('s3') ? { MEDIA_REDIRECT: 'signed' } : {} });
const endpoint = inject('s3')?.endpoint ?? 'none';
const sound = createTone(2);
const student = await app.make.student({ levels: ['Refuge'] });
const client = await app.as(student);
const melody = await app.make.melody({ level: 'Refuge', audio: sound });
const address = `/api/files/${melody.audioUrl}?type=audio`;

const fetchFile = (headers: Record<string, string> = {}) =>
  fetch(app.url + address, { headers: { ...headers, cookie: client.cookieHeader() }, redirect: 'manual' });

test('redirects an authorized user to a signed URL that serves the audio file', async () => {
  const told = await fetchFile();
  expect([told.status, told.headers.get('cache-control')]).toEqual([302, 'private, no-store']);
  const location = new URL(told.headers.get('location')!);
  expect(location.origin).toBe(await getMediaStoreOrigin(app.settings, app.store));
  expect(location.origin).toBe(endpoint);
  expect(Number(location.searchParams.get('X-Amz-Expires'))).toBe(SIGNED_URL_TTL_SECONDS);
  expect(SIGNED_URL_TTL_SECONDS).toBeLessThanOrEqual(60);

  const whole = await fetch(location);
  expect(whole.status).toBe(200);
  expect(whole.headers.get('content-type')).toBe('audio/wav');
  expect(whole.headers.get('cache-control')).toBe('private, no-store');
  expect(Buffer.from(await whole.arrayBuffer()).equals(sound)).toBe(true);
  const part = await fetch(location, { headers: { range: 'bytes=100-199' } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(sound.subarray(100, 200))).toBe(true);
});

test('does not redirect a request for audio that will be stored on the device', async () => {
  const kept = await client.get(`${address}&keep=yes`);
  expect([kept.status, kept.bytes.equals(sound)]).toEqual([200, true]);
});

test('a signed URL is valid only for its file, method and time', async () => {
  const location = new URL((await fetchFile()).headers.get('location')!);
  const changed = (change: (url: URL) => void) => {
    const other = new URL(location);
    change(other);
    return fetch(other);
  };
  const other = await app.make.melody({ level: 'Vajrayana', audio: sound });
  const refused = [
    await changed((url) => (url.pathname = url.pathname.replaceAll(melody.audioUrl!, other.audioUrl!))),
    await changed((url) => url.searchParams.set('X-Amz-Expires', '600')),
    await changed((url) => (url.search = '')),
    await fetch(location, { method: 'DELETE' }),
    await fetch(location, { method: 'PUT', body: 'x' }),
    await fetch(`${endpoint}/${TEST_BUCKET}${new URL(location).search}`),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
});

test('does not sign a URL without access, or for a cached or damaged file', async () => {
  const stranger = await app.as(await app.make.student());
  expect((await stranger.get(address)).status).toBe(404);
  expect((await app.visitor().get(address)).status).toBe(401);
  const etag = (await fetchFile()).headers.get('etag')!;
  expect((await fetchFile({ 'if-none-match': etag })).status).toBe(304);
  const path = getMediaFilePath(melody.audioUrl!);
  await app.media.remove(path);
  expect((await fetchFile()).status, 'the file is missing').toBe(503);
  await app.media.write(path, sound.subarray(0, 1000));
  expect((await fetchFile()).status, 'the file is too short').toBe(503);
});
