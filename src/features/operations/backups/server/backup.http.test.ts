import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { afterAll, expect, inject, test } from 'vitest';
import { openDiskStore } from '#server/media/disk-store.ts';
import { describeMediaLocation } from '#server/media/open-store.ts';
import type { MediaStore } from '#server/media/store.ts';
import { DISK_MEDIA_ENVIRONMENT } from '#testing/s3.ts';
import { startTestApp } from '#testing/app.ts';
import { withFault } from '#testing/inject-faults.ts';
import { runStatement } from '#testing/postgres.ts';
import { createTone } from '#testing/tone.ts';
import { verifyBackupArchive, writeBackupArchive } from './archive.ts';
import { getSharedMediaPath } from './backup-folder.ts';
import { createBackupKeys, encryptWithPassphrase } from './encryption.ts';
import { takeNightlyBackup } from './nightly-backup.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';
import { formatLongUtcDateTime } from '#server/mail/email-body.ts';
import { takeBackup } from './take-backup.ts';

const app = await startTestApp({ environment: DISK_MEDIA_ENVIRONMENT });
const postgres = inject('postgres');
const folder = await mkdtemp(join(tmpdir(), 'yangchen-backup-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const level = await app.make.level('Open to All');
const teacher = await app.as(await app.make.teacher());
const tashi = await app.make.student({ levels: ['Open to All'] });
const student = await app.as(tashi);
const source = {
  connection: { ...postgres, database: app.databaseName },
  store: app.store,
  outbox: join(app.dataDir, 'outbox'),
};
const newPath = () => join(folder, randomUUID());
const ignoreProgress = () => undefined;

type Recording = { id: number; title: string; audioUrl: string };

async function send(title: string, seconds: number): Promise<Recording> {
  const parts = { title, audio: { bytes: createTone(seconds), name: 'a.wav' } };
  const { status, body } = await student.form('/api/recordings', parts);
  expect(status).toBe(201);
  return body;
}

/** Creates an empty database and data folder to restore to. */
async function newInstallation() {
  const databaseName = `restored_${randomUUID().replaceAll('-', '')}`;
  await runStatement(postgres, `create database ${databaseName}`);
  const dataDir = newPath();
  const media = join(dataDir, 'media');
  await mkdir(media, { recursive: true });
  const store = openDiskStore(media, () => Promise.resolve());
  return {
    databaseName,
    dataDir,
    target: {
      connection: { ...postgres, database: databaseName },
      store,
      place: describeMediaLocation({ s3: null, dataDir }),
      staging: join(dataDir, 'staging'),
      outbox: join(dataDir, 'outbox'),
    },
  };
}

/** Wraps a store so that opening files waits for `goOn()`. */
function paused(store: MediaStore) {
  let goOn = ignoreProgress as () => void;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  let hasReached = ignoreProgress as () => void;
  const reached = new Promise<void>((resolve) => (hasReached = resolve));
  const open: MediaStore['open'] = async (...of) => {
    hasReached();
    await gate;
    return store.open(...of);
  };
  return { store: { open }, reached, goOn };
}

test('a backup contains a snapshot of all rows and files, even while data changes', async () => {
  // Creates two recordings, and turns the first one's file into a playback copy of the second one's file.
  const copy = await send('Copy', 6);
  const early = await send('Early', 1);
  await app.db.execute(sql`delete from recordings where id = ${copy.id}`);
  await app.db
    .execute(sql`update media_files set copy_of = ${early.audioUrl}, copy = 'small', slot = 'audio-copy'
    where name = ${copy.audioUrl}`);
  const doomed = await send('Doomed', 2);
  const melody = await teacher.form('/api/melodies', {
    ...{ title: 'སྒྲོལ་མ། "quoted"\\N\t', melodyText: 'line\r\nline', transmissionLevelId: level.id },
    audioFile: { bytes: createTone(3), name: 'song.wav' },
  });
  expect(melody.status).toBe(201);
  await mkdir(source.outbox, { recursive: true });
  await writeFile(join(source.outbox, 'a-mail.eml'), 'To: Tashi');

  const { store, reached, goOn } = paused(app.store);
  const path = newPath();
  const taking = takeBackup({ ...source, store }, path, ignoreProgress);
  await reached;
  expect((await student.delete(`/api/recordings/${doomed.id}`)).status).toBe(200);
  const changed = { title: 'Changed', audioFile: { bytes: createTone(4), name: 'song.wav' } };
  await teacher.form(`/api/melodies/${melody.body.id}`, changed, { method: 'PUT' });
  await send('Late', 5);
  goOn();
  expect(await taking).toMatchObject({ files: 4, damaged: [] });

  const { databaseName, dataDir, target } = await newInstallation();
  await restoreBackup(path, await checkBackup(path), target);
  const restored = await startTestApp({
    beside: { databaseName, dataDir },
    environment: DISK_MEDIA_ENVIRONMENT,
  });
  const there = await restored.as(tashi);
  const mine = (await there.get('/api/student/recordings')).body as Recording[];
  expect(mine.map(({ title }) => title).sort()).toEqual(['Doomed', 'Early']);
  for (const [{ audioUrl }, seconds] of [
    [early, 1],
    [doomed, 2],
  ] as const)
    expect((await there.get(`/api/files/${audioUrl}?type=audio`)).bytes).toEqual(createTone(seconds));
  expect((await there.get(`/api/files/${early.audioUrl}?type=audio&copy=small`)).bytes).toEqual(
    createTone(6),
  );
  const [song] = (await there.get('/api/melodies')).body as (typeof melody.body)[];
  expect(song).toEqual(melody.body);
  expect((await there.get(`/api/files/${song.audioUrl}?type=audio`)).bytes).toEqual(createTone(3));
  expect(await readFile(join(dataDir, 'outbox', 'a-mail.eml'), 'utf8')).toBe('To: Tashi');
  // Checks that new ids continue after the highest id in the backup.
  const next = await there.form('/api/recordings', {
    title: 'Next',
    audio: { bytes: createTone(1), name: 'a.wav' },
  });
  expect(next.body.id).toBeGreaterThan(doomed.id);
  const [installation] = await restored.db
    .execute<{ id: string }>(sql`select id from installation`)
    .then(({ rows }) => rows);
  expect(await target.store.installationId()).toBe(installation!.id);
});

test('a backup that fails at any write leaves no file', async () => {
  for (let nth = 1; ; nth += 1) {
    const path = newPath();
    const take = () => takeBackup(source, path, ignoreProgress).catch((error: Error) => error);
    const { result, hasFailed } = await withFault('write', nth, take);
    if (!hasFailed) break;
    expect(result).toMatchObject({ code: 'EIO' });
    expect((await readdir(folder)).filter((name) => path.endsWith(name.replace('.part', '')))).toEqual([]);
  }
});

test('a restore signs everyone out and revokes sign-in links, reset links and codes', async () => {
  const email = { email: tashi.email };
  expect((await app.visitor().post('/api/password-reset/request', email)).status).toBe(200);
  await app.idle();
  expect((await student.post('/api/user/sign-in-codes')).status).toBe(201);
  const path = newPath();
  await takeBackup(source, path, ignoreProgress);

  const { databaseName, dataDir, target } = await newInstallation();
  await restoreBackup(path, await checkBackup(path), target);
  const restored = await startTestApp({
    beside: { databaseName, dataDir },
    environment: DISK_MEDIA_ENVIRONMENT,
  });
  const client = restored.visitor();
  client.cookies.set('session', student.cookies.get('session')!);
  expect((await client.get('/api/user')).status).toBe(401);
  for (const table of ['sessions', 'sign_in_tokens', 'password_reset_tokens', 'passkey_challenges'])
    expect(await restored.count(table), table).toBe(0);
  const { rows } = await restored.db.execute(sql`select kind from mails where kind = 'password-reset'`);
  expect(rows).toEqual([]);
});

test('a restore is recorded in the audit log', async () => {
  const path = newPath();
  await takeBackup(source, path, ignoreProgress);
  const { databaseName, dataDir, target } = await newInstallation();
  const checked = await checkBackup(path);
  await restoreBackup(path, checked, target);
  const restored = await startTestApp({
    beside: { databaseName, dataDir },
    environment: DISK_MEDIA_ENVIRONMENT,
  });
  const admin = await restored.as(await restored.make.teacher());
  expect((await admin.get('/api/admin/audit-log')).body[0]).toMatchObject({
    actorName: "Someone at the server's console",
    action: 'backup-restored',
    subjectName: formatLongUtcDateTime(new Date(checked.createdAt)),
  });
});

test('after a restore, a shared passage is unavailable until its student agrees again', async () => {
  const melody = await app.make.melody({ level: level.name, text: 'one\ntwo', audio: null });
  const { recording } = await app.services.recordings.submit(
    { title: 'Praise', melodyId: melody.id },
    await app.make.staged(createTone(3)),
    { id: tashi.id, role: 'student' },
  );
  const khandro = await app.make.teacher();
  const answered = { recordingId: recording.id, writtenFeedback: 'Good.' };
  await app.services.feedback.send(answered, undefined, khandro);
  const notes = `/api/melodies/${melody.id}/teaching-notes`;
  const note = await teacher.post(notes, { clientId: randomUUID(), line: 0, text: 'Like this.' });
  const question = { noteId: note.body.id, recordingId: recording.id, start: 0, end: 2, wantsName: true };
  const asked = await teacher.post('/api/admin/agreements', { clientId: randomUUID(), ...question });
  const agree = `/api/agreements/${asked.body.id}/agree`;
  const signed = { signature: 'Tashi', withName: true };
  expect((await student.post(agree, signed)).status).toBe(200);
  const path = newPath();
  await takeBackup(source, path, ignoreProgress);
  const [{ studentPassage: passage }] = (await student.get(notes)).body;
  expect((await student.post(`/api/agreements/${asked.body.id}/revoke`)).status).toBe(200);

  const { databaseName, dataDir, target } = await newInstallation();
  expect(await restoreBackup(path, await checkBackup(path), target)).toEqual({ suspendedPassages: 1 });
  const restored = await startTestApp({
    beside: { databaseName, dataDir },
    environment: DISK_MEDIA_ENVIRONMENT,
  });
  const [own, other, admin] = [
    await restored.as(tashi),
    await restored.as(await restored.make.student({ levels: [level.name] })),
    await restored.as(khandro),
  ];
  for (const by of [own, other, admin]) {
    expect((await by.get(`/api/files/${passage.audioUrl}?type=audio`)).status).toBe(404);
    expect((await by.get(notes)).body).toEqual([note.body]);
  }
  expect(await restored.files()).not.toContain(passage.audioUrl);
  expect((await own.get('/api/agreements/waiting')).body).toEqual({ count: 1 });
  expect((await own.get('/api/agreements')).body).toMatchObject([
    { state: 'asked', name: null, answeredAt: expect.any(String) },
  ]);

  expect((await own.post(agree, signed)).status).toBe(200);
  const [{ studentPassage: again }] = (await other.get(notes)).body;
  expect((await other.get(`/api/files/${again.audioUrl}?type=audio`)).status).toBe(200);
});

test('deleting a recording deletes its file if no backup is running', async () => {
  const { id, audioUrl } = await send('Withdrawn', 1);
  await student.delete(`/api/recordings/${id}`);
  expect(await app.store.open(audioUrl, { start: 0 })).toBeNull();
});

test('a backup lists missing and changed files, and contains the rest', async () => {
  const [gone, changed] = [await send('Gone', 1), await send('Changed', 1)];
  await app.store.remove(gone.audioUrl);
  const media = join(app.dataDir, 'media', changed.audioUrl.slice(0, 2), changed.audioUrl);
  await writeFile(media, 'not what was sent');
  const path = newPath();
  const { damaged } = await takeBackup(source, path, ignoreProgress);
  expect(damaged.sort()).toEqual([gone.audioUrl, changed.audioUrl].sort());
  expect((await verifyBackupArchive(path)).damaged).toEqual(damaged);
  for (const { id } of [gone, changed]) await student.delete(`/api/recordings/${id}`);
});

test('a failed backup leaves no file behind, and a backup never replaces a file', async () => {
  const path = newPath();
  const store = { open: () => Promise.reject(new Error('The disk does not answer')) };
  await expect(takeBackup({ ...source, store }, path, ignoreProgress)).rejects.toThrow(
    'The disk does not answer',
  );
  for (const left of [path, `${path}.part`]) await expect(stat(left)).rejects.toThrow('ENOENT');
  await writeFile(path, 'precious');
  await expect(takeBackup(source, path, ignoreProgress)).rejects.toThrow('already exists');
  expect(await readFile(path, 'utf8')).toBe('precious');
});

test('of two concurrent backups to the same file, only one succeeds', async () => {
  const path = newPath();
  const outcomes = await Promise.allSettled([1, 2].map(() => takeBackup(source, path, ignoreProgress)));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await verifyBackupArchive(path);
  const begun = newPath();
  await writeFile(`${begun}.part`, 'of another');
  await expect(takeBackup(source, begun, ignoreProgress)).rejects.toThrow(
    `The file ${begun}.part already exists`,
  );
  expect(await readFile(`${begun}.part`, 'utf8')).toBe('of another');
});

test('rejects a damaged, foreign or newer backup with a clear message', async () => {
  const good = newPath();
  await takeBackup(source, good, ignoreProgress);
  const whole = await readFile(good);
  const flipped = Buffer.from(whole);
  flipped[whole.length >> 1]! ^= 1;
  for (const [bytes, sentence] of [
    [Buffer.from('hello'), 'is not a backup of Yangchen. Nothing was changed.'],
    [Buffer.alloc(0), 'is not a backup of Yangchen. Nothing was changed.'],
    [whole.subarray(0, whole.length >> 1), 'is damaged or incomplete. Use another one. Nothing was changed.'],
    [flipped, 'is damaged or incomplete. Use another one. Nothing was changed.'],
  ] as const) {
    const path = newPath();
    await writeFile(path, bytes);
    await expect(checkBackup(path)).rejects.toThrow(sentence);
  }
  const about = {
    ...{ createdAt: new Date().toISOString(), migration: 1, tables: [], sequences: [], damaged: [] },
  };
  const newer = newPath();
  await writeBackupArchive(newer, () => Promise.resolve({ ...about, migration: 9e12 }));
  await expect(checkBackup(newer)).rejects.toThrow('made by a newer version of Yangchen');
  const odd = newPath();
  await writeBackupArchive(odd, async (archive) => {
    await archive.add('media/../../etc/passwd', 1, Buffer.from('x'));
    return about;
  });
  await expect(checkBackup(odd)).rejects.toThrow('a file with an invalid name');
  const oddMedia = newPath();
  const files = [{ name: '../../etc/passwd', size: 1, sha256: '' }];
  await writeBackupArchive(oddMedia, () => Promise.resolve(about), { sharedMedia: { files, suffix: '' } });
  await expect(checkBackup(oddMedia)).rejects.toThrow('a file with an invalid name');
  await expect(checkBackup(newPath())).rejects.toThrow('ENOENT');
});

/** Takes a nightly backup in a new folder. @returns its path */
async function takeNightly(keys = createBackupKeys(null)): Promise<string> {
  const place = newPath();
  await mkdir(place);
  const options = { keys, signal: new AbortController().signal, assertSpace: () => Promise.resolve() };
  const { name } = await takeNightlyBackup(source, place, 'yangchen-2026-11-22.tar', options);
  return join(place, name);
}

test('a complete backup that was encrypted with the passphrase is restored', async () => {
  const { audioUrl } = await send('Encrypted', 2);
  const path = newPath();
  const passphrase = 'correct horse battery';
  await takeBackup(source, path, ignoreProgress, await encryptWithPassphrase(passphrase));
  expect((await readFile(path)).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
  await expect(checkBackup(path)).rejects.toThrow(`${path} is encrypted. Set BACKUP_PASSPHRASE`);
  const wrong = checkBackup(path, { keys: createBackupKeys('another horse battery') });
  await expect(wrong).rejects.toThrow(
    `BACKUP_PASSPHRASE is not the passphrase that ${path} was encrypted with.`,
  );
  const keys = createBackupKeys(passphrase);
  const { target } = await newInstallation();
  await restoreBackup(path, await checkBackup(path, { keys }), target, { keys });
  const restored = await target.store.open(audioUrl, { start: 0 });
  expect(await buffer(restored!.stream)).toEqual(createTone(2));
});

test('a nightly backup is restored with the media beside it', async () => {
  const { audioUrl } = await send('Nightly', 2);
  const path = await takeNightly();
  const backup = await checkBackup(path);
  const { target } = await newInstallation();
  await restoreBackup(path, backup, target);
  const restored = await target.store.open(audioUrl, { start: 0 });
  expect(await buffer(restored!.stream)).toEqual(createTone(2));
  expect(await Array.fromAsync(target.store.list())).toHaveLength(backup.files);
});

test('a nightly backup is restored without the media that are missing or damaged', async () => {
  const [gone, changed] = [await send('Gone', 1), await send('Changed', 1)];
  const path = await takeNightly();
  const { files } = await checkBackup(path);
  await rm(getSharedMediaPath(path, gone.audioUrl));
  await writeFile(getSharedMediaPath(path, changed.audioUrl), 'changed');
  const backup = await checkBackup(path);
  expect(backup).toMatchObject({ damaged: [], files: files - 2 });
  expect(backup.lost.sort()).toEqual([gone.audioUrl, changed.audioUrl].sort());
  const { target } = await newInstallation();
  await restoreBackup(path, backup, target);
  expect(await Array.fromAsync(target.store.list())).toHaveLength(files - 2);
});

test('rejects a nightly backup without the folder of its media', async () => {
  const path = await takeNightly();
  await rm(join(path, '../media'), { recursive: true });
  await expect(checkBackup(path)).rejects.toThrow(/needs the folder \S+media, which is missing\./);
});

test('rejects a restore into an installation that is not empty', async () => {
  const path = newPath();
  await takeBackup(source, path, ignoreProgress);
  const backup = await checkBackup(path);
  const refused = 'There is already a community here.';
  const { target } = await newInstallation();
  await expect(restoreBackup(path, backup, { ...target, connection: source.connection })).rejects.toThrow(
    refused,
  );
  await expect(restoreBackup(path, backup, { ...target, store: app.store })).rejects.toThrow(refused);
  expect(await app.count('recordings')).toBeGreaterThan(0);
});

test('a restore rolls back all rows if the database rejects one row', async () => {
  const path = newPath();
  await takeBackup(source, path, ignoreProgress);
  const { tables, ...about } = await checkBackup(path);
  const broken = newPath();
  await writeBackupArchive(broken, async (archive) => {
    await archive.add('rows/users/1', 14, Buffer.from('one\ttwo\tthree\n'));
    return { ...about, tables };
  });
  const { target } = await newInstallation();
  await expect(restoreBackup(broken, await checkBackup(broken), target)).rejects.toThrow(/column/);
  await restoreBackup(path, await checkBackup(path), target);
});

test('a restore that fails midway is undone and can be repeated', async () => {
  const path = newPath();
  await takeBackup(source, path, ignoreProgress);
  const backup = await checkBackup(path);
  const { target } = await newInstallation();
  let published = 0;
  const store: MediaStore = {
    ...target.store,
    maxConcurrent: 3,
    publish: (...of) =>
      (published += 1) > 1 ? Promise.reject(new Error('The disk is full')) : target.store.publish(...of),
  };
  await expect(restoreBackup(path, backup, { ...target, store })).rejects.toThrow('The disk is full');
  const left: string[] = [];
  for await (const { name } of target.store.list()) left.push(name);
  expect(left).toEqual([]);
  await restoreBackup(path, backup, target);
  for await (const { name } of target.store.list()) left.push(name);
  expect(left).toHaveLength(backup.files);
});

test('a restore writes files concurrently, and repeats one that failed', async () => {
  const path = newPath();
  await takeBackup(source, path, ignoreProgress);
  const backup = await checkBackup(path);
  const { target } = await newInstallation();
  const second = Promise.withResolvers<void>();
  let published = 0;
  const store: MediaStore = {
    ...target.store,
    maxConcurrent: 3,
    async publish(...of) {
      published += 1;
      if (published === 1) await second.promise;
      else second.resolve();
      if (published === 2) throw new Error('Timed out');
      await target.store.publish(...of);
    },
  };
  await restoreBackup(path, backup, { ...target, store });
  expect(await Array.fromAsync(target.store.list())).toHaveLength(backup.files);
});
