import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestApp } from '../../testing/app.ts';
import { audioFile } from '../../testing/audio-expectations.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { noSandbox } from '../../platform/server/decoding/sandbox.ts';
import { findFfmpeg } from '../../platform/server/audio/ffmpeg.ts';
import { inspectAudio } from '../../platform/server/audio/inspect.ts';

const ffmpegPath = await findFfmpeg(undefined);
const without = await startTestApp();
const withFfmpeg = ffmpegPath ? await startTestApp({ ffmpegPath }) : null;
const folder = temporaryFolder();

type App = typeof without;

async function add(app: App, file: string) {
  const teacher = await app.as(await app.make.teacher());
  const level = await app.make.level('Refuge');
  const reply = await teacher.form('/api/melodies', {
    title: file,
    transmissionLevelId: level.id,
    audioFile: { bytes: await readFile(audioFile(file)), name: file },
  });
  expect(reply.status).toBe(201);
  const { body } = await teacher.get(`/api/melodies/${reply.body.id}`);
  return {
    teacher,
    melody: body as { id: number; audioUrl: string; seeksExactly: boolean; duration: number },
  };
}

async function originalOf(app: App, id: number) {
  const { rows } = await app.db.execute<{ audio_url: string; playback_url: string | null }>(
    `select audio_url, playback_url from melodies where id = ${id}`,
  );
  return rows[0]!;
}

async function strays(app: App) {
  const { rows } = await app.db.execute<{ name: string }>('select name from media_files order by name');
  expect((await app.files()).sort()).toEqual(rows.map(({ name }) => name).sort());
}

test.each([
  ['melody-vbr.mp3', false],
  ['melody-vbr-noxing.mp3', false],
  ['melody-cbr.mp3', true],
  ['melody.m4a', true],
  ['melody.wav', true],
])('without ffmpeg, %s is kept as it is and said to seek exactly: %s', async (file, seeksExactly) => {
  const { melody, teacher } = await add(without, file);
  expect(melody.seeksExactly).toBe(seeksExactly);
  expect(await originalOf(without, melody.id)).toEqual({ audio_url: melody.audioUrl, playback_url: null });
  const played = await teacher.get(`/api/files/${melody.audioUrl}?type=audio`);
  expect(played.bytes).toEqual(await readFile(audioFile(file)));
});

test.skipIf(!withFfmpeg).each(['melody-vbr.mp3', 'melody-vbr-noxing.mp3'])(
  'with ffmpeg, %s is played from a copy that seeks exactly, and kept beside it',
  async (file) => {
    const app = withFfmpeg!;
    const { melody, teacher } = await add(app, file);
    expect(melody).toMatchObject({
      seeksExactly: true,
      duration: 5,
      audioUrl: expect.stringMatching(/\.m4a$/),
    });
    const names = await originalOf(app, melody.id);
    expect(names).toEqual({ audio_url: expect.stringMatching(/\.mp3$/), playback_url: melody.audioUrl });

    const copy = await teacher.get(`/api/files/${names.playback_url}?type=audio`);
    expect(copy.headers.get('content-type')).toBe('audio/mp4');
    // The index stands before the sound, so that it plays before all of it has come.
    expect(copy.bytes.indexOf('moov')).toBeLessThan(copy.bytes.indexOf('mdat'));
    const path = join(folder(), 'copy.m4a');
    await writeFile(path, copy.bytes);
    const facts = await inspectAudio(path, { maxSeconds: 60 }, { ffmpegPath, sandbox: noSandbox });
    expect(Math.abs(facts.durationMs - 4830)).toBeLessThan(100);
    const original = await teacher.get(`/api/files/${names.audio_url}?type=audio`);
    expect(original.bytes).toEqual(await readFile(audioFile(file)));
    await strays(app);
  },
);

test.skipIf(!withFfmpeg)('who may hear the melody may have either file, and nobody else', async () => {
  const app = withFfmpeg!;
  const { melody } = await add(app, 'melody-vbr.mp3');
  const { audio_url, playback_url } = await originalOf(app, melody.id);
  const granted = await app.as(await app.make.student({ levels: ['Refuge'] }));
  const other = await app.as(await app.make.student());
  for (const name of [audio_url, playback_url]) {
    expect((await granted.get(`/api/files/${name}?type=audio`)).status).toBe(200);
    expect((await granted.get(`/api/files/${name}?type=image`)).status).toBe(404);
    expect((await other.get(`/api/files/${name}?type=audio`)).status).toBe(404);
    expect((await app.visitor().get(`/api/files/${name}?type=audio`)).status).toBe(401);
  }
});

test.skipIf(!withFfmpeg)('the copy goes with the audio that it was made of', async () => {
  const app = withFfmpeg!;
  const { melody, teacher } = await add(app, 'melody-vbr.mp3');
  const cbr = { bytes: await readFile(audioFile('melody-cbr.mp3')), name: 'a.mp3' };
  const vbr = { bytes: await readFile(audioFile('melody-vbr.mp3')), name: 'a.mp3' };
  const put = (parts: Parameters<typeof teacher.form>[1]) =>
    teacher.form(`/api/melodies/${melody.id}`, parts, { method: 'PUT' });
  const replaced = await put({ audioFile: cbr });
  expect(await originalOf(app, melody.id)).toEqual({ audio_url: replaced.body.audioUrl, playback_url: null });
  await strays(app);
  await put({ audioFile: vbr });
  expect((await put({ removeAudio: 'true' })).body).toMatchObject({ audioUrl: null, seeksExactly: true });
  expect(await originalOf(app, melody.id)).toEqual({ audio_url: null, playback_url: null });
  await strays(app);
  await put({ audioFile: vbr });
  const { audio_url, playback_url } = await originalOf(app, melody.id);
  await teacher.delete(`/api/melodies/${melody.id}`);
  expect(await app.files()).not.toEqual(expect.arrayContaining([audio_url]));
  expect(await app.files()).not.toEqual(expect.arrayContaining([playback_url]));
  await strays(app);
});

test('an ffmpeg that cannot make the copy costs the copy and not the melody', async () => {
  const path = join(folder(), 'ffmpeg');
  // Says nothing when it should decode, and writes half of a file when it should encode.
  await writeFile(
    path,
    '#!/bin/sh\nfor last; do :; done\ncase "$last" in file:*) echo half > "${last#file:}"; exit 1;; esac\n',
  );
  await chmod(path, 0o755);
  const app = await startTestApp({ ffmpegPath: path });
  const { melody } = await add(app, 'melody-vbr.mp3');
  expect(melody.seeksExactly).toBe(false);
  expect(await originalOf(app, melody.id)).toEqual({ audio_url: melody.audioUrl, playback_url: null });
  await strays(app);
  expect(await app.services.fileRounds({ before: new Date(Date.now() + 60_000), read: 'none' })).toEqual({
    files: 0,
    staged: 0,
  });
});
