import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { mails } from '../db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { DISK_MEDIA_ENVIRONMENT } from '#testing/s3.ts';
import { createTone } from '#testing/tone.ts';
import { openDataFolder } from './data-folder.ts';
import type { Log } from '../log.ts';
import { openDiskStore } from '../media/disk-store.ts';

const app = await startTestApp({ environment: DISK_MEDIA_ENVIRONMENT });
const student = await app.make.student();
const client = await app.as(student);
const away = `${app.dataDir}.away`;

async function restoreFolder() {
  if (!existsSync(away)) return;
  await rm(app.dataDir, { recursive: true, force: true });
  await rename(away, app.dataDir);
}
afterEach(restoreFolder);

const submitRecording = () =>
  client.form('/api/recordings', { title: 'Kyab', audio: { bytes: createTone(1), name: 'kyab.wav' } });
const ready = async () => (await app.visitor().get('/api/ready')).status;

test('rejects uploads and does not create a folder while the data folder is missing', async () => {
  const name = (await submitRecording()).body.audioUrl as string;
  const before = await app.count('recordings');
  await rename(app.dataDir, away);

  expect(await submitRecording()).toMatchObject({
    status: 503,
    body: { message: expect.stringMatching(/^The server can’t reach its storage at the moment\./) },
  });
  expect((await client.put(`/api/uploads/${crypto.randomUUID()}`, { size: 100 })).status).toBe(503);
  expect(await ready()).toBe(503);
  // Not 404, because the file exists but can't be accessed.
  expect((await client.get(`/api/files/${name}?type=audio`)).status).toBe(503);
  expect(await readdir(join(app.dataDir, '..'))).not.toContain(app.dataDir.split('/').at(-1));
  expect(await app.count('recordings')).toBe(before);

  await restoreFolder();
  await expect.poll(ready).toBe(200);
  expect((await client.get(`/api/files/${name}?type=audio`)).status).toBe(200);
  expect((await submitRecording()).status).toBe(201);
});

test('rejects uploads while another folder, even a copy, is at the data folder’s path', async () => {
  await submitRecording();
  await rename(app.dataDir, away);
  await mkdir(join(app.dataDir, 'media'), { recursive: true });
  expect([await ready(), (await submitRecording()).status]).toEqual([503, 503]);
  await rm(app.dataDir, { recursive: true });
  await cp(away, app.dataDir, { recursive: true });
  expect([await ready(), (await submitRecording()).status]).toEqual([503, 503]);
});

test('rejects uploads while the volume of the media folder is unmounted', async () => {
  await submitRecording();
  const media = join(app.dataDir, 'media');
  await rename(media, `${media}.away`);
  await mkdir(media);
  expect([await ready(), (await submitRecording()).status]).toEqual([503, 503]);
  expect(await readdir(media)).toEqual([]);
  await rm(media, { recursive: true });
  await rename(`${media}.away`, media);
  await expect.poll(ready).toBe(200);
  expect((await submitRecording()).status).toBe(201);
});

test('publishing a file fails if the data folder is moved at the same time', async () => {
  const staged = join(app.dataDir, 'staged');
  await writeFile(staged, createTone(1));
  let looks = 0;
  const store = openDiskStore(join(app.dataDir, 'media'), async () => {
    // The store calls this function once before and once after it moves the file into place.
    looks += 1;
    if (looks === 2) await rename(app.dataDir, away);
    await app.dataFolder.check();
  });
  await expect(store.publish(staged, 'aa-moved.wav')).rejects.toMatchObject({ code: 'unavailable' });
  await restoreFolder();
  await app.store.remove('aa-moved.wav');
});

test('an email for the outbox stays queued until the original data folder is restored', async () => {
  const queued = await app.make.mail();
  const worker = app.services.mailer;
  await rename(app.dataDir, away);
  await mkdir(app.dataDir);
  await worker.runOnce();
  expect(await readdir(app.dataDir)).toEqual([]);
  const row = async () => (await app.db.select().from(mails)).find(({ id }) => id === queued.id);
  expect(await row()).toMatchObject({ status: 'queued' });

  await restoreFolder();
  app.clock.advance(60_000);
  await worker.runOnce();
  app.clock.reset();
  expect(await row()).toMatchObject({ status: 'delivered' });
  expect(await readdir(join(app.dataDir, 'outbox'))).toEqual([(await row())!.outboxFile]);
});

test('logs once when the data folder goes missing and once when it reappears', async () => {
  const logged: string[] = [];
  const note = (_: unknown, words: string) => logged.push(words);
  const folder = await openDataFolder(app.settings, { error: note, warn: note } as unknown as Log);
  await rename(app.dataDir, away);
  for (let i = 0; i < 3; i += 1) await expect(folder.check()).rejects.toMatchObject({ code: 'unavailable' });
  await restoreFolder();
  await folder.check();
  await folder.check();
  expect(logged).toEqual([expect.stringMatching(/^the folder is not the one/), 'the data folder is back']);
  await folder.release();
});
