import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { getMediaFilePath } from '#server/media/layout.ts';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';
import { recoverLostRecordings } from './after-failover.ts';

const app = await startTestApp();
const student = await app.make.student({ username: 'tashi', levels: ['Refuge'] });
const [client, teacher] = [await app.as(student), await app.as(await app.make.teacher())];
const melody = await app.make.melody({ title: 'Kyab', level: 'Refuge' });
const take = createTone(2);

afterEach(async () => {
  app.clock.reset();
  for (const table of ['recordings', 'spent_keys']) await app.db.execute(`delete from ${table}`);
  await app.db.execute(`delete from media_files where slot = 'recording-audio'`);
  for (const name of await app.files()) if (name !== melody.audioUrl) await app.store.remove(name);
  for (const day of await app.store.aside.days()) await app.store.aside.deleteDay(day);
});

type Sent = { id: number; audioUrl: string; createdAt: string };

async function submit(clientId: string, melodyId = melody.id, as = client) {
  const { status, body } = await as.form('/api/recordings', {
    ...{ title: 'My title', message: 'Too high?', clientId, melodyId },
    audio: { bytes: take, name: 'take.wav' },
  });
  return { status, recording: body as Sent };
}

/** Deletes the rows of a recording, as a failover to a standby does that has not received them. */
async function lose({ id, audioUrl }: Sent) {
  await app.db.execute(`delete from recordings where id = ${id}`);
  await app.db.execute(`delete from media_files where name = '${audioUrl}'`);
}

async function submitAndLose(clientId = randomUUID()) {
  const sentAt = new Date(Date.now() + 3_600_000).toISOString();
  app.clock.set(new Date(sentAt));
  const { recording } = await submit(clientId);
  await lose(recording);
  return { clientId, name: recording.audioUrl, sentAt };
}

async function recover(mend = true) {
  const lines: string[] = [];
  const { db, store, staging, services } = app;
  const outcome = await recoverLostRecordings(
    { db, store, staging, recordings: services.recordings, clock: app.clock.now },
    { mend, say: (line) => lines.push(line), settleMs: 0 },
  );
  return { lines, ...outcome };
}

const listRecordings = async () => (await client.get('/api/student/recordings')).body as Sent[];

test('lists a lost recording with its student and time, and changes nothing', async () => {
  const { name, sentAt } = await submitAndLose();
  expect(await recover(false)).toEqual({
    lines: [
      `lost       ${getMediaFilePath(name)}  recording of tashi, sent on ${sentAt.slice(0, 10)} ${sentAt.slice(11, 16)} UTC`,
    ],
    output: 'The database lost 1 recording. To restore it, run npm run verify -- --after-failover --mend.',
    code: 1,
  });
  expect(await listRecordings()).toEqual([]);
  expect(await app.files()).toContain(name);
});

test('restores a lost recording to its student and the inbox, with a note', async () => {
  const { sentAt } = await submitAndLose();
  expect(await recover()).toMatchObject({ output: '1 recording restored.', code: 0 });
  const [restored] = await listRecordings();
  const expected = {
    title: 'Kyab',
    message: 'This recording was recovered after a problem with the server. Its title and message were lost.',
    melodyId: melody.id,
    status: 'pending',
    createdAt: sentAt,
  };
  expect(restored).toMatchObject(expected);
  expect((await client.get(`/api/files/${restored!.audioUrl}?type=audio`)).bytes.equals(take)).toBe(true);
  expect((await teacher.get('/api/admin/pending-recordings')).body).toMatchObject([expected]);
});

test('restores a recording only once, even if its file was set aside', async () => {
  const { name } = await submitAndLose();
  await app.store.aside.begin('2026-11-22');
  await app.store.aside.put(name, '2026-11-22');
  await recover();
  expect(await recover()).toEqual({
    lines: [],
    output: 'The database has lost no recordings.',
    code: 0,
  });
  expect(await listRecordings()).toHaveLength(1);
});

test('a device that sends a restored recording again gets the restored recording', async () => {
  const { clientId } = await submitAndLose();
  await recover();
  const [restored] = await listRecordings();
  expect(await submit(clientId)).toMatchObject({ status: 200, recording: { id: restored!.id } });
  expect(await listRecordings()).toHaveLength(1);
});

test('does not restore a recording that the device has sent again', async () => {
  const { clientId, name } = await submitAndLose();
  const { recording } = await submit(clientId);
  const { lines } = await recover();
  expect(lines).toEqual([expect.stringMatching(`^unlisted   ${getMediaFilePath(name)}`)]);
  expect(await listRecordings()).toMatchObject([{ id: recording.id, title: 'My title' }]);
});

test('does not restore a recording that the student has taken back', async () => {
  const { recording } = await submit(randomUUID());
  const path = getMediaFilePath(recording.audioUrl);
  const bytes = await app.media.read(path);
  expect((await client.delete(`/api/recordings/${recording.id}`)).status).toBe(200);
  await app.media.write(path, bytes);
  expect((await recover()).lines).toEqual([expect.stringMatching(/^unlisted/)]);
  expect(await listRecordings()).toEqual([]);
});

test('restores a recording without its melody if the student lost the level', async () => {
  const other = await app.make.student({ levels: ['Refuge'] });
  const otherClient = await app.as(other);
  const { recording } = await submit(randomUUID(), melody.id, otherClient);
  await lose(recording);
  await app.db.execute(`delete from user_transmission_access where user_id = '${other.id}'`);
  await recover();
  expect((await otherClient.get('/api/student/recordings')).body).toMatchObject([
    { title: 'Recovered recording', melodyId: null },
  ]);
});

test('leaves a recording whose student no longer exists', async () => {
  const other = await app.make.student({ levels: ['Refuge'] });
  const { recording } = await submit(randomUUID(), melody.id, await app.as(other));
  await lose(recording);
  await app.db.execute(`delete from users where id = '${other.id}'`);
  const { lines, code } = await recover();
  expect(lines).toEqual([expect.stringMatching(/recording, sent on .*: the student no longer exists$/)]);
  expect([code, await app.files()]).toEqual([1, expect.arrayContaining([recording.audioUrl])]);
});

test('restores a recording without its melody if a later melody has that melody’s id', async () => {
  const { recording } = await submit(randomUUID());
  await lose(recording);
  await app.db.execute(`update melodies set created_at = now() + interval '1 hour' where id = ${melody.id}`);
  await recover();
  expect(await listRecordings()).toMatchObject([{ title: 'Recovered recording', melodyId: null }]);
  await app.db.execute(`update melodies set created_at = now() - interval '1 hour' where id = ${melody.id}`);
});

test('lists a damaged recording with the reason, and restores the others', async () => {
  const { name } = await submitAndLose();
  await submitAndLose();
  await app.media.write(getMediaFilePath(name), 'om ah hum');
  const { lines, output, code } = await recover();
  expect(lines.filter((line) => line.startsWith('restored'))).toHaveLength(1);
  expect(lines.find((line) => line.startsWith('lost'))).toMatch(/UTC: .+/);
  expect([output, code]).toEqual([expect.stringContaining('1 recording can’t be restored'), 1]);
  expect(await app.staging.sweep(new Date(Date.now() + 60_000))).toBe(0);
});

test('lists other files that the database lacks, however recent, and leaves them', async () => {
  await app.media.write(getMediaFilePath('ff-orphan.wav'), Buffer.alloc(2_000));
  expect(await recover()).toEqual({
    lines: ['unlisted   ff/ff-orphan.wav  2,000 bytes'],
    output: 'Other files that are not listed in the database: 1.',
    code: 1,
  });
  expect(await app.files()).toContain('ff-orphan.wav');
});
