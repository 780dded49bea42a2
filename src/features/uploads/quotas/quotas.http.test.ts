import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createServices } from '#app/server/server.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestClient, TestResponse } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';

/** Called just before a recording is stored. */
let beforeKept: (() => Promise<unknown>) | null = null;

const app = await startTestApp({
  environment: { STUDENT_DAILY_RECORDINGS: '3', STUDENT_DAILY_BYTES: '12MB' },
  services: (_, parts) =>
    createServices({
      ...parts,
      store: {
        ...parts.store,
        publish: async (path, name) => {
          await beforeKept?.();
          await parts.store.publish(path, name);
        },
      },
    }),
});
const HOUR_MS = 60 * 60 * 1000;
const song = { bytes: createTone(1), name: 'song.wav' };

let student: { id: string };
let client: TestClient;
beforeEach(async () => {
  student = await app.make.student();
  client = await app.as(student);
});
afterEach(() => {
  app.clock.reset();
  beforeKept = null;
});

const send = (clientId: string = crypto.randomUUID()) =>
  client.form('/api/recordings', { title: 'Sung', clientId, audio: song });
const begin = (size: number, clientId: string = crypto.randomUUID()) =>
  client.put(`/api/uploads/${clientId}`, { size });
const uploadSong = async () => {
  const uploadId = crypto.randomUUID();
  expect((await begin(song.bytes.length, uploadId)).status).toBe(200);
  expect((await client.patch(`/api/uploads/${uploadId}?start=0`, song.bytes)).status).toBe(200);
  return uploadId;
};
const commit = (uploadId: string) =>
  client.form('/api/recordings', { title: 'Sung', clientId: uploadId, uploadId });
const statusesOf = (replies: TestResponse[]) => replies.map(({ status }) => status).sort();
const secondsToWait = ({ headers }: TestResponse) => Number(headers.get('retry-after'));
const storedCounts = async () => {
  const { rows } = await app.db.execute<{ count: number }>(
    sql`select count(*)::int as count from recordings where student_id = ${student.id}`,
  );
  return rows[0]!.count;
};
/**
 * Backdates all of the student's recordings by this many hours, and sets the size of their files in bytes.
 */
const backdateRecordings = (hours: number, bytes = song.bytes.length) =>
  app.db.execute(
    sql`with sent as (update recordings set created_at = created_at - make_interval(hours => ${hours})
          where student_id = ${student.id} returning audio_url)
        update media_files set size = ${bytes} from sent where name = audio_url`,
  );

test('rejects recordings beyond the daily maximum until enough are a day old', async () => {
  await send();
  await backdateRecordings(20);
  await send();
  await send();
  const reply = await send();
  expect([reply.status, reply.body]).toEqual([
    429,
    {
      message: 'You’ve sent 3 recordings in 24 hours, which is the limit.',
    },
  ]);
  expect(secondsToWait(reply)).toBeGreaterThan(3.9 * 3600);
  expect(secondsToWait(reply)).toBeLessThanOrEqual(4 * 3600);
  expect((await begin(9)).status).toBe(429);
  expect(await storedCounts()).toBe(3);
  const noSound = { bytes: Buffer.from('no sound'), name: 'song.wav' };
  const unheard = await client.form('/api/recordings', { title: 'No sound', audio: noSound });
  expect(unheard.status, 'refused before the file is examined').toBe(429);
  app.clock.advance(secondsToWait(reply) * 1000);
  expect((await send()).status).toBe(201);
  expect((await send()).status, 'only one recording is a day old').toBe(429);
});

test('rejects an upload that exceeds the daily size quota, and accepts a smaller one', async () => {
  await send();
  await backdateRecordings(3, 4_000_000);
  const large = await begin(9_000_000);
  expect([large.status, large.body.message]).toEqual([
    429,
    'You can send up to 12 MB of recordings in 24 hours, and this one would go over the limit.',
  ]);
  expect(secondsToWait(large)).toBeLessThanOrEqual(21 * 3600);
  expect((await begin(8_000_000)).status).toBe(200);
});

test('rejects a recording whose actual size exceeds the daily quota', async () => {
  await send();
  await backdateRecordings(3, 11_999_999);
  const reply = await send();
  expect([reply.status, await storedCounts()]).toEqual([429, 1]);
});

test('uploads in progress count towards the daily quota, but abandoned uploads do not', async () => {
  await send();
  const first = crypto.randomUUID();
  expect((await begin(9, first)).status).toBe(200);
  expect((await begin(9)).status).toBe(200);
  expect((await begin(9)).status).toBe(429);
  expect((await begin(9, first)).status, 'a started upload continues').toBe(200);
  await client.delete(`/api/uploads/${first}`);
  expect((await begin(9)).status).toBe(200);
  expect((await begin(9)).status).toBe(429);
  app.clock.advance(25 * HOUR_MS);
  expect((await begin(9)).status).toBe(200);
});

test('stores concurrent recordings up to the quota and leaves no stray files', async () => {
  await send();
  await send();
  const uploads = [await uploadSong(), crypto.randomUUID()];
  const files = (await app.files()).length;
  // Delays storing either recording until both have passed the first check.
  let arrived = 0;
  let release!: () => void;
  const all = new Promise<void>((resolve) => (release = resolve));
  beforeKept = () => {
    arrived += 1;
    if (arrived === 2) release();
    return all;
  };
  const replies = await Promise.all([commit(uploads[0]!), send()]);
  expect(statusesOf(replies)).toEqual([201, 429]);
  expect([await storedCounts(), (await app.files()).length]).toEqual([3, files + 1]);
});

test('accepts a retry after a lost response, even if the daily quota is used up', async () => {
  const clientId = await uploadSong();
  expect((await commit(clientId)).status).toBe(201);
  await send();
  await send();
  expect((await send()).status).toBe(429);
  expect((await commit(clientId)).status).toBe(200);
  expect((await send(clientId)).status).toBe(200);
  expect((await begin(song.bytes.length, clientId)).status).toBe(200);
});

test('an upload rejected by the daily quota can be sent as a recording the next day', async () => {
  const waiting = await uploadSong();
  await Promise.all([send(), send()]);
  await send();
  expect((await commit(waiting)).status).toBe(429);
  app.clock.advance(24 * HOUR_MS);
  expect((await commit(waiting)).status).toBe(201);
});

test('withdrawing a recording makes room for another recording in the daily quota', async () => {
  const { body } = await send();
  await send();
  await send();
  expect((await send()).status).toBe(429);
  await client.delete(`/api/recordings/${body.id}`);
  expect((await send()).status).toBe(201);
});

test('quotas apply to each student separately and not to teachers', async () => {
  await send();
  await send();
  await send();
  const other = await app.as(await app.make.student());
  expect((await other.form('/api/recordings', { title: 'Sung', audio: song })).status).toBe(201);
  const teacher = await app.as(await app.make.teacher());
  for (let count = 0; count < 5; count += 1)
    expect((await teacher.put(`/api/uploads/${crypto.randomUUID()}`, { size: 9_000_000 })).status).toBe(200);
});

test('returns 401 if the account is deleted while its recording is being stored', async () => {
  beforeKept = () => app.db.execute(sql`delete from users where id = ${student.id}`);
  expect((await send()).status).toBe(401);
});
