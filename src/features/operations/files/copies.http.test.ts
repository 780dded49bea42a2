import { spawnSync } from 'node:child_process';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { getTestAudioPath } from '#testing/audio-expectations.ts';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import { createTone } from '#testing/tone.ts';
import { waitForLockWaiters } from '#testing/wait-for.ts';
import { readMigrations } from '#server/db/migrations.ts';
import { findFfmpeg } from '#server/audio/ffmpeg.ts';
import { describeFileOwners } from '../verification/server/describe-file-owners.ts';

const ffmpegPath = await findFfmpeg(undefined);
const app = await startTestApp({ ffmpegPath });
const folder = createTemporaryFolderPerTest();
const student = await app.make.student();
const teacher = await app.make.teacher();
const withFfmpeg = test.skipIf(!ffmpegPath);

type App = typeof app;
type Sound = { id: number; audioUrl: string; audioCopies: string[] };

const record = async (on: App, bytes: Buffer, name: string, by = student) => {
  const client = await on.as(by);
  const sent = await client.form('/api/recordings', { title: name, audio: { bytes, name } });
  expect(sent.status).toBe(201);
  return sent.body as Sound;
};
const corpus = async (file: string) => record(app, await readFile(getTestAudioPath(file)), file);

async function seen(id: number): Promise<Sound> {
  const { body } = await (await app.as(student)).get('/api/student/recordings');
  return (body as Sound[]).find((each) => each.id === id)!;
}

type Row = { name: string; copy_of: string | null; copy: string | null; size: number };
async function copies(on: App, original: string) {
  const { rows } = await on.db.execute<Row>(
    `select name, copy_of, copy, size from media_files where copy_of = '${original}' order by copy`,
  );
  return rows;
}

async function expectNoUnmatchedFiles(on: App = app) {
  const { rows } = await on.db.execute<{ name: string }>('select name from media_files order by name');
  expect((await on.files()).sort()).toEqual(rows.map(({ name }) => name).sort());
}

const jobs = async (on: App = app) => (await on.db.execute('select * from copy_jobs order by id')).rows;

/** Returns how many milliseconds the second audio file lags behind the first. */
async function measureDelay(one: Buffer, other: Buffer): Promise<number> {
  const RATE = 8_000;
  const samples = async (bytes: Buffer) => {
    const path = join(folder(), 'heard');
    await writeFile(path, bytes);
    const as = ['-ac', '1', '-ar', `${RATE}`, '-f', 'f32le', '-'];
    const { stdout } = spawnSync(ffmpegPath!, ['-loglevel', 'quiet', '-i', path, ...as], { maxBuffer: 1e8 });
    return new Float32Array(Uint8Array.from(stdout).buffer);
  };
  const [a, b] = [await samples(one), await samples(other)];
  const most = RATE / 10;
  let best = { lag: 0, alike: -Infinity };
  for (let lag = -most; lag <= most; lag += 1) {
    let alike = 0;
    for (let i = most; i < Math.min(a.length, b.length) - most; i += 1) alike += a[i]! * b[i + lag]!;
    if (alike > best.alike) best = { lag, alike };
  }
  return (best.lag / RATE) * 1000;
}

withFfmpeg.each([
  ['melody-ulaw.wav', ['full', 'small']],
  ['melody-vbr.mp3', ['full', 'small']],
  ['melody-nodur.webm', ['full']],
])('%s gets the copies %j, in sync to 30 ms', async (file, expected) => {
  const { id, audioUrl, audioCopies } = await corpus(file);
  expect(audioCopies).toEqual([]);
  await app.services.copies.runOnce();
  expect((await seen(id)).audioCopies.sort()).toEqual(expected);
  const client = await app.as(student);
  const original = await client.get(`/api/files/${audioUrl}?type=audio`);
  expect(original.bytes).toEqual(await readFile(getTestAudioPath(file)));
  for (const copy of expected) {
    const { bytes, headers } = await client.get(`/api/files/${audioUrl}?type=audio&copy=${copy}`);
    expect(headers.get('content-type')).toBe('audio/mp4');
    // Checks that the index comes before the audio data, so that playback can start before the whole file has
    // loaded.
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    if (copy === 'small') expect((bytes.length * 8) / 4.8).toBeLessThan(64_000);
    expect(Math.abs(await measureDelay(original.bytes, bytes))).toBeLessThan(30);
  }
});

test('migrates a playback copy made by version 0.2.0, whose URL still works', async () => {
  const [melody, copy] = [
    await app.make.melody({ level: 'Refuge', audio: createTone(2) }),
    await app.make.melody({ level: 'Refuge', audio: createTone(1) }),
  ];
  await app.db.execute(sql`update melodies set audio_url = null where id = ${copy.id}`);
  await app.db.execute(sql`update melodies set playback_url = ${copy.audioUrl} where id = ${melody.id}`);
  await app.db.execute(sql`update media_files set slot = 'melody-playback' where name = ${copy.audioUrl}`);
  await app.db.execute(sql`delete from copy_jobs`);
  for (const statement of readMigrations().flatMap((migration) => migration.sql))
    if (/UPDATE "media_files"|INSERT INTO "copy_jobs"/.test(statement))
      await app.db.execute(sql.raw(statement));

  const waiting = (await jobs()).map(({ original }) => original);
  expect(waiting).toContain(melody.audioUrl);
  expect(waiting).not.toContain(copy.audioUrl);
  const granted = await app.as(await app.make.student({ levels: ['Refuge'] }));
  const barred = await app.as(await app.make.student());
  for (const address of [`${copy.audioUrl}?type=audio`, `${melody.audioUrl}?type=audio&copy=full`]) {
    expect((await granted.get(`/api/files/${address}`)).bytes).toEqual(createTone(1));
    expect((await barred.get(`/api/files/${address}`)).status).toBe(404);
  }
  await (await app.as(teacher)).delete(`/api/melodies/${melody.id}`);
  expect(await app.files()).not.toContain(copy.audioUrl);
});

test('an audio copy is requested by its original’s name and needs the same access', async () => {
  const [{ audioUrl }, made] = [
    await record(app, createTone(2), 'mine.wav'),
    await record(app, createTone(1), 'copy.wav'),
  ];
  await app.db.execute(sql`delete from recordings where id = ${made.id}`);
  await app.db.execute(sql`update media_files set copy_of = ${audioUrl}, copy = 'small', slot = 'audio-copy'
    where name = ${made.audioUrl}`);
  const [copy] = await copies(app, audioUrl);
  const [own, other, admin] = [
    await app.as(student),
    await app.as(await app.make.student()),
    await app.as(teacher),
  ];
  const small = `/api/files/${audioUrl}?type=audio&copy=small`;
  expect((await own.get(small)).bytes).toHaveLength(copy!.size);
  expect((await admin.get(small)).status).toBe(200);
  expect((await other.get(small)).status).toBe(404);
  expect((await app.visitor().get(small)).status).toBe(401);
  for (const client of [own, admin, other])
    for (const query of ['', '&copy=small', '&copy=full'])
      expect((await client.get(`/api/files/${copy!.name}?type=audio${query}`)).status).toBe(404);
  for (const query of [
    'type=audio&copy=full',
    'type=audio&copy=',
    'type=audio&copy=%00',
    'type=image&copy=small',
    'copy=small',
  ])
    expect((await own.get(`/api/files/${audioUrl}?${query}`)).status).toBe(404);

  const part = await own.get(small, { headers: { range: 'bytes=4-7' } });
  expect([part.status, part.bytes]).toEqual([206, createTone(1).subarray(4, 8)]);
  expect(part.headers.get('content-range')).toBe(`bytes 4-7/${copy!.size}`);
  const etag = part.headers.get('etag')!;
  expect((await own.get(small, { headers: { 'if-none-match': etag } })).status).toBe(304);
  const original = await own.get(`/api/files/${audioUrl}?type=audio`, { headers: { 'if-none-match': etag } });
  expect(original.status).toBe(200);
});

withFfmpeg('a melody’s copies are listed, but only users with the level can open them', async () => {
  const level = await app.make.level('Refuge');
  const client = await app.as(teacher);
  const granted = await app.as(await app.make.student({ levels: ['Refuge'] }));
  const barred = await app.as(await app.make.student());
  const vbr = { bytes: await readFile(getTestAudioPath('melody-vbr.mp3')), name: 'a.mp3' };
  const parts = { title: 'VBR', transmissionLevelId: level.id, audioFile: vbr };
  const { body } = await client.form('/api/melodies', parts);
  const melody = body as Sound & { seeksExactly: boolean };
  const listed = async () =>
    ((await granted.get('/api/melodies?view=card')).body as Sound[]).find(({ id }) => id === melody.id);
  expect((await listed())!.audioCopies).toEqual([]);
  // Checks that browsers will be able to seek exactly. No copy exists yet, but one is queued.
  expect((await client.get(`/api/melodies/${melody.id}`)).body).toMatchObject({ seeksExactly: true });
  await app.services.copies.runOnce();
  expect((await listed())!.audioCopies.sort()).toEqual(['full', 'small']);
  expect((await granted.get(`/api/melodies/${melody.id}`)).body).toMatchObject({ seeksExactly: true });
  const full = `/api/files/${melody.audioUrl}?type=audio&copy=full`;
  expect((await granted.get(full)).status).toBe(200);
  expect((await barred.get(full)).status).toBe(404);
  const names = (await copies(app, melody.audioUrl)).map(({ name }) => name);
  const owners = await describeFileOwners(app.db, names);
  expect(names.map((name) => owners.get(name))).toEqual([
    'full copy of the melody “VBR”',
    'small copy of the melody “VBR”',
  ]);

  await client.form(`/api/melodies/${melody.id}`, { removeAudio: 'true' }, { method: 'PUT' });
  expect(await copies(app, melody.audioUrl)).toEqual([]);
  expect((await granted.get(full)).status).toBe(404);
  await expectNoUnmatchedFiles();
});

withFfmpeg('recordings and spoken replies have copies, which are deleted with the originals', async () => {
  const someone = await app.make.student();
  const { id, audioUrl } = await record(app, createTone(2, 220, 32_000), 'sung.wav', someone);
  const spoken = { bytes: createTone(3, 330, 32_000), name: 'said.wav' };
  const reply = await (
    await app.as(teacher)
  ).form('/api/feedback', { recordingId: id, audioFeedback: spoken });
  expect(reply.status).toBe(201);
  await app.services.copies.runOnce();
  const [given] = (await (await app.as(someone)).get('/api/feedback')).body as [
    { audioFeedbackUrl: string; audioFeedbackCopies: string[]; recording: Sound },
  ];
  expect([given.audioFeedbackCopies, given.recording.audioCopies]).toEqual([['small'], ['small']]);
  const answered = await (
    await app.as(someone)
  ).get(`/api/files/${given.audioFeedbackUrl}?type=audio&copy=small`);
  expect(answered.status).toBe(200);
  expect((await (await app.as(teacher)).delete(`/api/admin/users/${someone.id}`)).status).toBe(200);
  for (const name of [audioUrl, given.audioFeedbackUrl]) expect(await copies(app, name)).toEqual([]);
  await expectNoUnmatchedFiles();
});

withFfmpeg('deleting a recording while it is being copied also deletes the copy', async () => {
  const go = join(folder(), 'go');
  const waiting = await program(`while [ ! -e ${go} ]; do sleep 0.05; done; exec ${ffmpegPath} "$@"`);
  const slow = await startTestApp({ ffmpegPath: waiting });
  const by = await slow.make.student();
  const { id } = await record(slow, createTone(2, 220, 32_000), 'gone.wav', by);
  const working = slow.services.copies.runOnce();
  await expect.poll(async () => (await jobs(slow))[0]).toMatchObject({ attempts: 1 });
  expect((await (await slow.as(by)).delete(`/api/recordings/${id}`)).status).toBe(200);
  await writeFile(go, '');
  await working;
  expect([await slow.count('media_files'), await slow.count('copy_jobs')]).toEqual([0, 0]);
  expect(await slow.files()).toEqual([]);
});

test('deletes a copy that is saved while its original is being deleted', async () => {
  const { id, audioUrl } = await record(app, createTone(2), 'gone.wav');
  const name = `${'0'.repeat(32)}.m4a`;
  await app.media.write(`00/${name}`, createTone(1));
  const client = await app.as(student);
  let deleting: ReturnType<typeof client.delete> = Promise.reject(new Error('not begun'));
  deleting.catch(() => undefined);
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`insert into media_files (name, slot, content_type, size, sha256, copy_of, copy)
      values (${name}, 'audio-copy', 'audio/mp4', ${createTone(1).length}, '', ${audioUrl}, 'small')`);
    deleting = client.delete(`/api/recordings/${id}`);
    await waitForLockWaiters(app.db, 1);
  });
  expect(await deleting).toMatchObject({ status: 200 });
  await expectNoUnmatchedFiles();
});

withFfmpeg('two processes share the copy queue and retry the job of a dead process', async () => {
  const first = await startTestApp({ ffmpegPath });
  const second = await startTestApp({ ffmpegPath, beside: first });
  const by = await first.make.student();
  const sounds = [
    await record(first, createTone(2, 220, 32_000), 'one.wav', by),
    await record(first, createTone(2, 230, 32_000), 'two.wav', by),
  ];
  // Leases the job, as a process that was then killed would have done.
  const lease = new Date(Date.now() + 3_600_000).toISOString();
  await first.db.execute(
    `update copy_jobs set attempts = 1, due_at = '${lease}' where original = '${sounds[0]!.audioUrl}'`,
  );
  // Removes the staging folder, as on a machine that has received no files yet.
  await rm(first.staging.folder, { recursive: true });
  await Promise.all([first.services.copies.runOnce(), second.services.copies.runOnce()]);
  expect(await copies(first, sounds[0]!.audioUrl)).toEqual([]);
  expect(await copies(first, sounds[1]!.audioUrl)).toHaveLength(1);
  second.clock.advance(3_601_000);
  await second.services.copies.runOnce();
  expect(await copies(first, sounds[0]!.audioUrl)).toHaveLength(1);
  expect(await jobs(first)).toEqual([]);
  await expectNoUnmatchedFiles(first);
});

test('retries a failing ffmpeg for a day, and serves the original audio', async () => {
  // Creates a fake ffmpeg that prints nothing when it decodes, and writes half a file when it encodes.
  const broken = await program(
    'for last; do :; done\ncase "$last" in file:*) echo half > "${last#file:}"; exit 1;; esac',
  );
  const bad = await startTestApp({ ffmpegPath: broken });
  const by = await bad.make.student();
  const { audioUrl } = await record(bad, createTone(2, 220, 32_000), 'kept.wav', by);
  for (const [attempts, minutes] of [
    [1, 1],
    [2, 60],
    [3, 24 * 60],
  ] as const) {
    await bad.services.copies.runOnce();
    expect(await jobs(bad)).toMatchObject([{ attempts }]);
    bad.clock.advance(minutes * 60_000 + 1_000);
  }
  await bad.services.copies.runOnce();
  expect(await jobs(bad)).toEqual([]);
  expect((await (await bad.as(by)).get(`/api/files/${audioUrl}?type=audio`)).status).toBe(200);
  await expectNoUnmatchedFiles(bad);
  const round = { before: new Date(Date.now() + 60_000), read: 'none' } as const;
  expect(await bad.services.fileRounds(round)).toEqual({ files: 0, staged: 0 });
});

withFfmpeg('a full disk does not count as a failed attempt to copy audio', async () => {
  let free = 1e12;
  const full = await startTestApp({ ffmpegPath, measureDisk: () => Promise.resolve({ free, total: 1e13 }) });
  const { audioUrl } = await record(full, createTone(2), 'waits.wav', await full.make.student());
  free = 0;
  await full.services.copies.runOnce();
  expect(await jobs(full)).toMatchObject([{ original: audioUrl, attempts: 0 }]);
  free = 1e12;
  full.clock.advance(11 * 60_000);
  await full.services.copies.runOnce();
  expect(await copies(full, audioUrl)).toHaveLength(1);
});

test('without ffmpeg, jobs stay in the queue and seeking is reported as approximate', async () => {
  const without = await startTestApp();
  const client = await without.as(await without.make.teacher());
  const level = await without.make.level('Refuge');
  const sent = { bytes: await readFile(getTestAudioPath('melody-vbr.mp3')), name: 'a.mp3' };
  const { body } = await client.form('/api/melodies', {
    ...{ title: 'VBR', transmissionLevelId: level.id, audioFile: sent },
  });
  await without.services.copies.runOnce();
  expect(await jobs(without)).toMatchObject([{ original: body.audioUrl, attempts: 0 }]);
  expect((await client.get(`/api/melodies/${body.id as number}`)).body).toMatchObject({
    ...{ audioCopies: [], seeksExactly: false },
  });
});

withFfmpeg('a damaged recording is not copied, and a damaged copy is replaced', async () => {
  const damaged = await record(app, createTone(2, 220, 32_000), 'damaged.wav');
  const pathOf = (name: string) => `${name.slice(0, 2)}/${name}`;
  const spoil = async (name: string) => {
    const bytes = Buffer.from(await app.media.read(pathOf(name)));
    bytes[bytes.length - 1]! ^= 1;
    await app.media.write(pathOf(name), bytes);
  };
  await spoil(damaged.audioUrl);
  await app.services.copies.runOnce();
  expect(await copies(app, damaged.audioUrl)).toEqual([]);
  expect(await jobs()).toMatchObject([{ original: damaged.audioUrl, attempts: 1 }]);

  const { id, audioUrl } = await record(app, createTone(3, 220, 32_000), 'whole.wav');
  await app.services.copies.runOnce();
  const [before] = await copies(app, audioUrl);
  await spoil(before!.name);
  await app.services.fileRounds({ before: new Date(0), read: 'share' });
  const client = await app.as(student);
  const small = `/api/files/${audioUrl}?type=audio&copy=small`;
  expect((await client.get(small)).status).toBe(503);
  expect((await seen(id)).audioCopies).toEqual([]);
  expect(await app.services.fileChecks.damaged()).toMatchObject({ changed: 2 });
  await app.services.copies.renewDamaged();
  // Checks that one file is still damaged: the original of the first recording.
  const { rows } = await app.db.execute(sql`select detail from notices where kind = 'files-damaged'`);
  expect(rows).toEqual([{ detail: { missing: 0, changed: 1 } }]);
  await app.services.copies.runOnce();
  expect((await client.get(small)).status).toBe(200);
  expect((await copies(app, audioUrl))[0]!.name).not.toBe(before!.name);
  await expectNoUnmatchedFiles();
});

async function program(commands: string): Promise<string> {
  const path = join(folder(), 'program');
  await writeFile(path, `#!/bin/sh\n${commands}\n`);
  await chmod(path, 0o755);
  return path;
}
