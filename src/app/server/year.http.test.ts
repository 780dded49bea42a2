import { randomUUID } from 'node:crypto';
import { mkdtemp, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createNightlyBackups } from '#features/operations/backups/server/service.ts';
import { listNightlyBackups } from '#features/operations/backups/server/backup-folder.ts';
import { checkBackup } from '#features/operations/backups/server/restore-backup.ts';
import { installation, mediaFiles } from '#server/db/schema.ts';
import type { Log } from '#server/log.ts';
import { hashFile } from '#server/media/hash-file.ts';
import { getMediaFilePath, getMediaFolder } from '#server/media/layout.ts';
import { startTestApp } from '#testing/app.ts';
import { DISK_MEDIA_ENVIRONMENT } from '#testing/s3.ts';
import { createTone } from '#testing/tone.ts';
import { runMaintenance } from './maintenance.ts';

// Lets a community use the program day by day, with a clock that the test sets, and runs each night's work:
// backups, restore tests and maintenance. `npm run chaos -- year` simulates a year.

const DAYS = Number(process.env['DAYS'] ?? 33);
const KEPT_BACKUPS = 7;
/** Days after which maintenance deletes unused sessions and uploads, and files without a row. */
const [SESSION_DAYS, UPLOAD_DAYS, ASIDE_DAYS] = [30, 14, 31];

const app = await startTestApp({ environment: DISK_MEDIA_ENVIRONMENT, alone: true });
const never = new AbortController().signal;
const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() } as unknown as Log;
const song = createTone(1);

test('expired data is deleted and nothing else, day by day', { timeout: 3_600_000 }, async () => {
  // Starts in the future, so that files, whose times the test doesn't set, are older than the clock.
  const start = new Date();
  const at = (day: number, hour: number, minute = 0) =>
    new Date(start.getFullYear(), start.getMonth(), start.getDate() + day, hour, minute);
  app.clock.set(at(1, 9));
  const folder = await mkdtemp(join(app.dataDir, 'backups-'));
  const testRestore = vi.fn(async (path: string) => {
    const { lost, damaged } = await checkBackup(path);
    expect([lost, damaged]).toEqual([[], []]);
    return 'proven' as const;
  });
  const backups = createNightlyBackups({
    source: {
      ...{ connection: app.database.connection, store: app.store },
      outbox: join(app.dataDir, 'outbox'),
    },
    ...{ folder, canRunElsewhere: false, keep: KEPT_BACKUPS, passphrase: null, testRestore, log },
    ...{ db: app.db, notices: app.services.notices, checks: app.services.fileChecks, clock: app.clock.now },
  });
  await app.db.insert(installation).values({});
  const khandro = await app.make.teacher();
  const tashi = await app.make.student();
  let [teacher, student] = [await app.as(khandro), await app.as(tashi)];
  const recordings: number[] = [];
  const lost: string[] = [];

  for (let day = 1; day <= DAYS; day += 1) {
    if (day % SESSION_DAYS === 0) [teacher, student] = [await app.as(khandro), await app.as(tashi)];
    // Someone signs in once and never comes back, and a device never finishes its upload.
    await app.as(await app.make.student());
    await app.visitor().post('/api/password-reset/request', { email: tashi.email });
    await app.idle();
    await student.put(`/api/uploads/${randomUUID()}`, { size: song.length });
    const sent = await student.form('/api/recordings', {
      ...{ title: `Day ${day}`, clientId: randomUUID() },
      audio: { bytes: song, name: 'song.wav' },
    });
    expect(sent.status).toBe(201);
    recordings.push(sent.body.id as number);
    if (day % 5 === 0) expect((await student.delete(`/api/recordings/${recordings.pop()}`)).status).toBe(200);
    const reply = { recordingId: recordings.at(-1)!, writtenFeedback: 'Lower.', holdSeconds: 10 };
    await teacher.form('/api/feedback', reply);
    app.clock.advance(60_000);
    await app.services.feedback.held.releaseDue();
    // A crash between a file and its row leaves a file.
    const name = `${randomUUID().replaceAll('-', '')}.wav`;
    await app.media.write(getMediaFilePath(name), song);
    lost.push(name);

    app.clock.set(at(day + 1, 2, 30));
    expect(await backups.takeIfDue(never)).toBe(true);
    const [newest] = (await listNightlyBackups(folder)).slice(-1);
    await utimes(join(folder, newest!), app.clock.now(), app.clock.now());
    await backups.check();
    await backups.testRestoreIfDue(true, never);
    await runMaintenance({ services: app.services, clock: app.clock.now, log }, null, 'share', never);
    app.clock.set(at(day + 1, 9));
  }

  expect(log.error).not.toHaveBeenCalled();
  expect(log.warn).not.toHaveBeenCalled();
  const [latest] = (await student.get('/api/student/recordings')).body as { id: number }[];
  expect(latest!.id).toBe(recordings.at(-1));
  expect(await app.count('recordings')).toBe(recordings.length);
  for (const file of await app.db.select().from(mediaFiles)) {
    const path = join(getMediaFolder(app.dataDir), getMediaFilePath(file.name));
    expect((await hashFile(path)).sha256).toBe(file.sha256);
  }

  const taken = await listNightlyBackups(folder);
  expect(taken).toHaveLength(Math.min(KEPT_BACKUPS, DAYS));
  for (const name of taken) expect((await checkBackup(join(folder, name))).lost).toEqual([]);
  expect(testRestore).toHaveBeenCalledTimes(Math.ceil(DAYS / 30));

  expect(await app.count('sessions')).toBeLessThanOrEqual(SESSION_DAYS + 4);
  expect(await app.count('password_reset_tokens')).toBeLessThanOrEqual(2);
  expect(await app.count('uploads')).toBeLessThanOrEqual(UPLOAD_DAYS + 1);
  const aside = await Array.fromAsync(app.store.aside.list());
  expect(aside.sort()).toEqual(lost.slice(-ASIDE_DAYS).sort());
  const { rows } = await app.db.execute('select kind from notices where dismissed_at is null');
  expect(rows).toEqual([]);
});
