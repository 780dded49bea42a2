import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { STORAGE_FULL_MESSAGE, type DiskSpace } from '#server/media/disk-space.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestResponse } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';

// Tests the server's responses while the disk is nearly full.

const MIN_FREE = 1_000_000_000;
const PLENTY = { free: 50_000_000_000, total: 1e12 };
let size: DiskSpace = PLENTY;
const app = await startTestApp({
  environment: { MIN_FREE_DISK: '1GB' },
  measureDisk: () => Promise.resolve(size),
});
const teacher = await app.as(await app.make.teacher());
const student = await app.make.student();
const client = await app.as(student);
const song = { bytes: createTone(3), name: 'song.wav' };
const level = await app.make.level('Open to All');

const fill = (free = MIN_FREE - 1) => {
  size = { ...PLENTY, free };
};
beforeEach(() => {
  size = PLENTY;
});

const toRejection = ({ status, body, headers }: TestResponse) =>
  [status, body, headers.get('retry-after')] as unknown;
const REFUSED = [507, { message: STORAGE_FULL_MESSAGE }, '300'];
const keptFiles = async () => [await app.count('media_files'), (await app.files()).length];

/** Returns the number of received bytes of each unfinished upload, according to its row and to its file. */
async function listReceivedBytes() {
  const { rows } = await app.db.execute(sql`select client_id, received from uploads order by client_id`);
  return [rows, await Promise.all((await app.partials.list()).map(app.partials.sizeOf))];
}

async function begun(bytes = song.bytes) {
  const at = `/api/uploads/${crypto.randomUUID()}`;
  expect((await client.put(at, { size: bytes.length })).status).toBe(200);
  return at;
}

describe('free disk space below the reserve', () => {
  test('with free space below the reserve, rejects new uploads and chunks with status 507', async () => {
    const at = await begun();
    const before = await listReceivedBytes();
    fill();
    expect(toRejection(await client.put(`/api/uploads/${crypto.randomUUID()}`, { size: 9 }))).toEqual(
      REFUSED,
    );
    expect(toRejection(await client.patch(`${at}?start=0`, song.bytes.subarray(0, 10_000)))).toEqual(REFUSED);
    expect(await listReceivedBytes()).toEqual(before);
  });

  test('with free space below the reserve, rejects a form with a file and stores nothing', async () => {
    const recording = await app.make.recording();
    const feedback = await app.make.feedback();
    const before = await keptFiles();
    fill();
    for (const reply of [
      await client.form('/api/recordings', { title: 'Sung', audio: song }),
      await teacher.form('/api/feedback', { recordingId: recording.id, audioFeedback: song }),
      await teacher.form(`/api/feedback/${feedback.id}`, { audioFeedback: song }, { method: 'PUT' }),
      await teacher.form('/api/melodies', { title: 'A', transmissionLevelId: level.id, audioFile: song }),
    ])
      expect(toRejection(reply)).toEqual(REFUSED);
    expect(await keptFiles()).toEqual(before);
    const pending = (await teacher.get('/api/recordings/pending')).body as { id: number }[];
    expect(pending.map(({ id }) => id)).toContain(recording.id);
  });

  test('a fully received upload can be submitted even if free space is below the reserve', async () => {
    const at = await begun();
    const uploadId = at.split('/').at(-1)!;
    await client.patch(`${at}?start=0`, song.bytes);
    fill();
    const form = { title: 'Sung', uploadId, clientId: uploadId };
    expect((await client.form('/api/recordings', form)).status).toBe(201);
    expect((await client.form('/api/recordings', form)).status, 'the earlier response is repeated').toBe(200);
  });

  test('text can be saved and audio played even if free space is below the reserve', async () => {
    const recording = await app.make.recording({ student });
    fill();
    const marks = JSON.stringify([{ start: 0, end: null, text: 'Here' }]);
    const draft = { text: 'So far', marks: [] };
    for (const reply of [
      await teacher.put(`/api/admin/recordings/${recording.id}/draft`, draft),
      await teacher.form('/api/feedback', { recordingId: recording.id, writtenFeedback: 'Good', marks }),
      await teacher.form('/api/melodies', {
        title: 'Words',
        transmissionLevelId: level.id,
        melodyText: 'Om',
      }),
      await client.get(`/api/files/${recording.audioUrl}?type=audio`),
      await app.visitor().post('/api/password-reset/request', { email: 'nobody@example.org' }),
    ])
      expect([200, 201]).toContain(reply.status);
  });
});

test('accepts only as many concurrent uploads as the disk has room for', async () => {
  await app.db.execute(sql`delete from uploads`);
  fill(MIN_FREE + 20_000_000);
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1)
    statuses.push((await client.put(`/api/uploads/${crypto.randomUUID()}`, { size: 8_000_000 })).status);
  expect(statuses).toEqual([200, 200, 507, 507]);
  // Advances the clock until the uploads count as abandoned, which releases their reserved space.
  app.clock.advance(11 * 60 * 1000);
  expect((await client.put(`/api/uploads/${crypto.randomUUID()}`, { size: 8_000_000 })).status).toBe(200);
  app.clock.reset();
  await app.db.execute(sql`delete from uploads`);
});

test('/api/ready stays ready but reports a warning while the disk is nearly full', async () => {
  const ready = async () => (await app.visitor().get('/api/ready')).body as unknown;
  await app.disk.check();
  await expect.poll(ready).toEqual({ status: 'ready' });
  fill();
  await app.disk.check();
  await expect.poll(ready).toEqual({ status: 'ready', warnings: ['disk-low'] });
  size = PLENTY;
  await app.disk.check();
  await expect.poll(ready).toEqual({ status: 'ready' });
});

test('returns the message about a full disk if the database has no space for a row', async () => {
  await app.db.execute(
    sql`create function no_room() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`,
  );
  await app.db.execute(sql`create trigger no_room before insert on uploads execute function no_room()`);
  const reply = await client.put(`/api/uploads/${crypto.randomUUID()}`, { size: 9 });
  await app.db.execute(sql`drop trigger no_room on uploads`);
  expect([reply.status, reply.body]).toEqual([507, { message: STORAGE_FULL_MESSAGE }]);
});
