import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';
import { MAX_MANIFEST_MELODIES, MAX_OFFLINE_OWN_RECORDINGS } from './limits.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const LEVELS = '/api/admin/transmission-levels';
const unique = () => `Level ${crypto.randomUUID().slice(0, 8)}`;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const requestManifest = (client: TestClient, ...ids: number[]) =>
  client.get(`/api/pack?melodies=${ids.join()}`);
const listManifestIds = async (client: TestClient, ...ids: number[]) =>
  ((await requestManifest(client, ...ids)).body.melodies as { id: number }[]).map(({ id }) => id);

/** Creates a student with a level of their own and a melody of that level. */
async function makeHeard() {
  const student = await app.make.student();
  const level = await app.make.grant(student, unique());
  const melody = await app.make.melody({ level: level.name });
  return { student, browser: await app.as(student), level, melody };
}

test('the manifest lists only files of melodies that the student has access to', async () => {
  const sound = createTone(1, 330);
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'maroon' } })
    .png()
    .toBuffer();
  const { browser: client, level } = await makeHeard();
  const heard = await app.make.melody({
    level: level.name,
    audio: sound,
    thumbnail: picture,
  });
  const silent = await app.make.melody({ level: level.name, audio: null });
  const secret = await app.make.melody({ level: unique() });
  const { status, body } = await requestManifest(client, secret.id, silent.id, heard.id, 999_999);
  expect(status).toBe(200);
  expect(body.melodies.map(({ id }: { id: number }) => id)).toEqual([heard.id, silent.id]);
  expect(body.melodies[0].files[0]).toEqual({
    name: heard.audioUrl,
    type: 'audio',
    contentType: 'audio/wav',
    size: sound.length,
    sha256: sha256(sound),
  });
  expect(body.melodies[0].files[1]).toMatchObject({ name: heard.thumbnailUrl, type: 'image' });
  expect(body.melodies[1].files).toEqual([]);
  expect(JSON.stringify(body)).not.toContain(secret.audioUrl);
});

test('a lease lasts 30 days from each response, by the server’s clock', async () => {
  const { browser: client, melody } = await makeHeard();
  const { at, until } = (await requestManifest(client, melody.id)).body as { at: string; until: string };
  expect(Date.parse(until) - Date.parse(at)).toBe(30 * 24 * 60 * 60 * 1000);
  expect(Math.abs(Date.parse(at) - app.clock.now().getTime())).toBeLessThan(60_000);
});

test.each<[string, (heard: Awaited<ReturnType<typeof makeHeard>>) => Promise<unknown>]>([
  [
    'its level was revoked',
    ({ student, level }) => teacher.delete(`/api/admin/users/${student.id}/transmission-access/${level.id}`),
  ],
  ['it was deleted', ({ melody }) => teacher.delete(`/api/melodies/${melody.id}`)],
  [
    'it was moved to another level',
    async ({ melody }) => {
      const { id: transmissionLevelId } = await app.make.level(unique());
      return teacher.form(`/api/melodies/${melody.id}`, { transmissionLevelId }, { method: 'PUT' });
    },
  ],
  ['its level became online-only', ({ level }) => teacher.put(`${LEVELS}/${level.id}`, { neverKept: true })],
])('the manifest omits a melody after %s', async (_, change) => {
  const heard = await makeHeard();
  expect(await listManifestIds(heard.browser, heard.melody.id)).toEqual([heard.melody.id]);
  expect([200, 204]).toContain(((await change(heard)) as { status: number }).status);
  expect(await listManifestIds(heard.browser, heard.melody.id)).toEqual([]);
});

test('the manifest returns 401 without an active user and 412 to another user’s page', async () => {
  const disabled = await makeHeard();
  await teacher.put(`/api/admin/users/${disabled.student.id}/status`, { isActive: false });
  const deleted = await makeHeard();
  await teacher.delete(`/api/admin/users/${deleted.student.id}`);
  const gone = await makeHeard();
  await gone.browser.post('/api/logout');
  for (const { browser: client, melody } of [disabled, deleted, gone])
    expect((await requestManifest(client, melody.id)).status).toBe(401);
  const { browser: client, melody } = await makeHeard();
  const asAnother = await client.get(`/api/pack?melodies=${melody.id}`, {
    headers: { 'x-expected-user': gone.student.id },
  });
  expect(asAnother.status).toBe(412);
});

test('melodies of an online-only level can be played online but not saved', async () => {
  const { browser: client, level, melody } = await makeHeard();
  expect((await teacher.put(`${LEVELS}/${level.id}`, { neverKept: true })).body).toMatchObject({
    neverKept: true,
  });
  expect((await client.get(`/api/melodies/${melody.id}`)).status).toBe(200);
  expect(await listManifestIds(teacher, melody.id)).toEqual([]);
  expect((await client.get('/api/user/transmission-levels')).body).toMatchObject([{ neverKept: true }]);
  expect((await teacher.put(`${LEVELS}/${level.id}`, { description: 'Words' })).body).toMatchObject({
    neverKept: true,
  });
  expect((await teacher.put(`${LEVELS}/${level.id}`, { neverKept: false })).status).toBe(200);
  expect(await listManifestIds(client, melody.id)).toEqual([melody.id]);
  expect((await teacher.post(LEVELS, { name: unique(), neverKept: true })).body).toMatchObject({
    neverKept: true,
  });
  expect((await teacher.put(`${LEVELS}/${level.id}`, { neverKept: 'yes' })).status).toBe(400);
});

test('a melody gets a new version after each visible or audible change', async () => {
  const { browser: client, level, melody } = await makeHeard();
  const version = async () => (await requestManifest(client, melody.id)).body.melodies[0].version as string;
  const change = (fields: Record<string, unknown>) =>
    teacher.form(`/api/melodies/${melody.id}`, fields as never, { method: 'PUT' });
  const seen = [await version()];
  expect(await version()).toBe(seen[0]);
  for (const step of [
    () => change({ title: 'Another' }),
    () => change({ melodyText: 'Sangye chö dang\nJangchub bardu' }),
    () => change({ timings: JSON.stringify([{ line: 0, start: 0.5 }]) }),
    () => change({ audioFile: { bytes: createTone(1, 550), name: 'a.wav' } }),
    () => teacher.put(`${LEVELS}/${level.id}`, { name: unique() }),
  ]) {
    expect((await step()).status).toBe(200);
    seen.push(await version());
  }
  expect(new Set(seen).size).toBe(seen.length);
});

test('the manifest rejects too many ids and invalid ids', async () => {
  const { browser: client } = await makeHeard();
  const many = Array.from({ length: MAX_MANIFEST_MELODIES + 1 }, (_, i) => i + 1);
  expect((await requestManifest(client, ...many)).status).toBe(400);
  expect((await requestManifest(client, ...many.slice(1))).status).toBe(200);
  expect((await client.get('/api/pack?melodies=')).body.melodies).toEqual([]);
  for (const wrong of ['', '?melodies=x', '?melodies=1,,2', '?melodies=1%20or%201=1', '?melodies=-1'])
    expect((await client.get(`/api/pack${wrong}`)).status).toBe(400);
});

test('with own=yes, the manifest lists the student’s newest recordings and feedback', async () => {
  const { student, browser: client } = await makeHeard();
  const { browser: other } = await makeHeard();
  const recording = await app.make.recording({ student });
  const feedback = await app.make.feedback({ student, spoken: true });
  const own = async (asking: TestClient) => (await asking.get('/api/pack?melodies=&own=yes')).body.own;
  expect((await requestManifest(client)).body.own).toBeNull();
  const { version, files } = await own(client);
  expect(files.map(({ name }: { name: string }) => name).sort()).toEqual(
    [recording.audioUrl, feedback.recording.audioUrl, feedback.audioFeedbackUrl].sort(),
  );
  expect((await own(other)).files).toEqual([]);
  expect(await own(teacher)).toBeNull();
  expect((await client.delete(`/api/recordings/${recording.id}`)).status).toBe(200);
  const after = await own(client);
  expect(after.files).toHaveLength(2);
  expect(after.version).not.toBe(version);
  for (let sung = 0; sung < MAX_OFFLINE_OWN_RECORDINGS; sung += 1) await app.make.recording({ student });
  expect((await own(client)).files).toHaveLength(MAX_OFFLINE_OWN_RECORDINGS + 2);
  expect((await client.get('/api/pack?melodies=&own=no')).status).toBe(400);
});

/** Adds a copy of an audio file, as if ffmpeg had made it. */
async function addCopy(original: string, copy: 'small' | 'full', size: number) {
  const name = `${crypto.randomUUID()}.m4a`;
  await app.db.execute(sql`
    insert into media_files (name, slot, content_type, size, sha256, copy_of, copy)
    values (${name}, 'audio-copy', 'audio/mp4', ${size}, ${sha256(Buffer.from(name))}, ${original}, ${copy})`);
  return { copy, contentType: 'audio/mp4', size, sha256: sha256(Buffer.from(name)) };
}

test('a new audio copy changes the files in the manifest, but not the melody’s version', async () => {
  const { student, browser: client, level, melody } = await makeHeard();
  const recording = await app.make.recording({ student });
  const entry = async () => (await requestManifest(client, melody.id)).body.melodies[0];
  const { version, files } = await entry();
  expect(files).toMatchObject([{ name: melody.audioUrl, contentType: 'audio/wav' }]);
  expect(files[0]).not.toHaveProperty('copy');

  const full = await addCopy(melody.audioUrl!, 'full', 3000);
  expect(await entry()).toEqual({
    id: melody.id,
    version,
    files: [{ name: melody.audioUrl, type: 'audio', ...full }],
  });
  const small = await addCopy(melody.audioUrl!, 'small', 700);
  expect(await entry()).toMatchObject({ version, files: [{ name: melody.audioUrl, ...small }] });
  const own = await addCopy(recording.audioUrl, 'small', 500);
  const { body } = await client.get(`/api/pack?melodies=${melody.id}&own=yes`);
  expect(body.own.files).toMatchObject([{ name: recording.audioUrl, ...own }]);

  // A damaged copy is not used.
  await app.db.execute(
    sql`update media_files set damage = 'changed' where copy_of = ${melody.audioUrl} and copy = 'small'`,
  );
  expect((await entry()).files).toMatchObject([full]);
  expect(await listManifestIds(client, melody.id)).toEqual([melody.id]);
  // Access to a copy ends with access to its original.
  await teacher.delete(`/api/admin/users/${student.id}/transmission-access/${level.id}`);
  expect(await listManifestIds(client, melody.id)).toEqual([]);
});
