import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { Melody } from './contract.ts';
import { createExcerpt } from './listed-melody.ts';
import { createTone, createWav } from '#testing/tone.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const level = await app.make.level('Wang (Empowerment)');
const sample = (name: string) => readFile(join(import.meta.dirname, '../../testing/audio', name));

test('the teacher can add a melody with texts, audio, a picture and a video', async () => {
  const picture = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#7a1e2c' } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'a camera' } })
    .toBuffer();
  const text = 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ། \n\tOM MANI  \n';
  const reply = await teacher.form('/api/melodies', {
    title: '  Green Tara  ',
    description: 'Twenty-one praises',
    transmissionLevelId: String(level.id),
    vimeoUrl: 'https://vimeo.com/1',
    melodyText: text,
    audioFile: { bytes: await sample('melody.m4a'), name: '../../etc/passwd', type: 'text/html' },
    thumbnail: { bytes: picture, name: 'tara.svg', type: 'image/svg+xml' },
    createdBy: 'somebody else',
  });
  expect(reply.status).toBe(201);
  expect(reply.body).toMatchObject({
    title: 'Green Tara',
    description: 'Twenty-one praises',
    transmissionLevelId: level.id,
    transmissionLevel: { id: level.id, name: 'Wang (Empowerment)' },
    vimeoUrl: 'https://vimeo.com/1',
    melodyText: text,
    duration: 5,
    audioUrl: expect.stringMatching(/^[0-9a-f]{32}\.m4a$/),
    thumbnailUrl: expect.stringMatching(/^[0-9a-f]{32}\.webp$/),
  });
  const thumbnail = await teacher.get(`/api/files/${reply.body.thumbnailUrl}?type=image`);
  const metadata = await sharp(thumbnail.bytes).metadata();
  expect(metadata).toMatchObject({ format: 'webp', width: 960, height: 480 });
  expect(metadata.exif).toBeUndefined();
  const inFull = await teacher.get(`/api/melodies/${reply.body.id}`);
  expect(inFull.body).toMatchObject({ id: reply.body.id, peaks: null });
});

test('the card view returns an excerpt and the text’s length instead of the full texts', async () => {
  const title = 'For its card';
  const melodyText = 'ཨོཾ'.repeat(20);
  const description = 'Twenty-one praises. '.repeat(20).trim();
  const added = await teacher.form('/api/melodies', {
    ...{ title, description, melodyText },
    transmissionLevelId: level.id,
  });
  await teacher.form('/api/melodies', { title: 'For its card, bare', transmissionLevelId: level.id });
  const { description: _long, melodyText: _words, ...summary } = added.body as Melody;
  const card = { ...summary, excerpt: createExcerpt(description), textBytes: Buffer.byteLength(melodyText) };
  for (const address of ['/api/melodies?view=card', '/api/melodies?view=card&q=card%20praises']) {
    const cards = (await teacher.get(address)).body as { title: string }[];
    expect(cards.find((each) => each.title === title)).toEqual(card);
  }
  const cards = (await teacher.get('/api/melodies?view=card&q=bare')).body;
  expect(cards).toMatchObject([{ excerpt: null, textBytes: 0 }]);
  const inFull = (await teacher.get('/api/melodies')).body as { title: string }[];
  expect(inFull.find((each) => each.title === title)).toEqual({ ...summary, description, melodyText });
  expect((await teacher.get('/api/melodies?view=all')).status).toBe(400);
  const deaf = await app.as(await app.make.student({ levels: [] }));
  for (const query of ['', '&q=card'])
    expect((await deaf.get(`/api/melodies?view=card${query}`)).body).toEqual([]);
});

test('the id view returns only the ids of the found melodies', async () => {
  const { body } = await teacher.form('/api/melodies', {
    title: 'Found by id',
    transmissionLevelId: level.id,
  });
  expect((await teacher.get('/api/melodies?view=id&q=found%20id')).body).toEqual([{ id: body.id }]);
  const listed = (await teacher.get('/api/melodies')).body as { id: number }[];
  expect((await teacher.get('/api/melodies?view=id')).body).toEqual(listed.map(({ id }) => ({ id })));
  const deaf = await app.as(await app.make.student({ levels: [] }));
  expect((await deaf.get('/api/melodies?view=id&q=found')).body).toEqual([]);
});

test('a melody can be added with only a text, only a video or just a title', async () => {
  for (const more of [{ melodyText: 'OM' }, { vimeoUrl: 'http://example.org/v' }, {}]) {
    const reply = await teacher.form('/api/melodies', {
      title: 'Only',
      transmissionLevelId: level.id,
      ...more,
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ audioUrl: null, thumbnailUrl: null, duration: null });
  }
});

test('uses the browser’s waveform only if the server cannot decode the audio', async () => {
  const peaks = Buffer.alloc(200, 7).toString('base64');
  const add = async (audio: string, more = {}) => {
    const made = await teacher.form('/api/melodies', {
      title: audio,
      transmissionLevelId: level.id,
      audioFile: { bytes: await sample(audio), name: audio },
      ...more,
    });
    return (await teacher.get(`/api/melodies/${made.body.id}`)).body.peaks as string | null;
  };
  expect(Buffer.from((await add('melody.wav'))!, 'base64')).toHaveLength(200);
  expect(await add('melody.wav', { peaks })).not.toBe(peaks);
  expect(await add('melody.m4a', { peaks })).toBe(peaks);
  expect(await add('melody.m4a', { peaks: 'bm90IDIwMCBieXRlcw==' })).toBeNull();
});

test.each([
  ['no title', { title: ' ' }, 400, 'Title is required'],
  ['no level', { transmissionLevelId: '' }, 400, 'Transmission level is required'],
  ['an unknown level', { transmissionLevelId: '999999' }, 404, 'This level no longer exists.'],
  ['a level that is not a number', { transmissionLevelId: 'x' }, 400, 'Transmission level is required'],
  ['a javascript: URL as video', { vimeoUrl: 'javascript:alert(1)' }, 400, /http/],
  ['a title of 201 characters', { title: 'x'.repeat(201) }, 400, /200/],
  [
    'a picture of the wrong kind',
    { thumbnail: { bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), name: 'a.png' } },
    415,
    /picture/i,
  ],
  ['a FLAC file', { audioFile: 'melody.flac' }, 415, /MP3, WAV/],
  ['an HTML page as audio', { audioFile: 'html-named.wav' }, 415, /./],
  ['an unexpected file', { other: { bytes: createTone(1), name: 'x.wav' } }, 400, /isn’t valid/],
] as const)('rejects a melody with %s and stores nothing', async (_, wrong, status, message) => {
  const before = [await app.count('melodies'), await app.files()];
  const parts: Record<string, string | number | { bytes: Uint8Array; name: string }> = {
    title: 'Fine',
    transmissionLevelId: level.id,
    audioFile: { bytes: createTone(1), name: 'fine.wav' },
  };
  for (const [name, value] of Object.entries(wrong)) {
    parts[name] =
      name === 'audioFile' ? { bytes: await sample(value as string), name: 'song.mp3' } : (value as string);
  }
  const reply = await teacher.form('/api/melodies', parts);
  expect(reply.status).toBe(status);
  expect(reply.body.message).toMatch(message);
  expect([await app.count('melodies'), await app.files()]).toEqual(before);
});

test('rejects a melody longer than three hours even if the file is small', async () => {
  const refused = await teacher.form('/api/melodies', {
    title: 'Day and night',
    transmissionLevelId: level.id,
    audioFile: { bytes: createWav(3.1 * 3_600, 4_000, () => 0), name: 'sadhana.wav' },
  });
  expect(refused.status).toBe(400);
  expect(refused.body.message).toBe('This file is too long. The limit is 3 hours.');
  expect(refused.body.issues).toMatchObject([{ path: 'audioFile' }]);
});

test('a student lists only melodies of granted levels, newest first', async () => {
  const refuge = await app.make.level('Refuge');
  const hidden = await app.make.level('Tri (Instruction)');
  const first = await app.make.melody({ level: refuge.name });
  const secret = await app.make.melody({ level: hidden.name });
  const second = await app.make.melody({ level: refuge.name });
  const client = await app.as(await app.make.student({ levels: [refuge.name] }));
  const ids = async (query = '') =>
    ((await client.get(`/api/melodies${query}`)).body as { id: number }[]).map((melody) => melody.id);
  expect(await ids()).toEqual([second.id, first.id]);
  expect(await ids(`?transmissionLevelId=${refuge.id}`)).toEqual([second.id, first.id]);
  expect(await ids(`?transmissionLevelId=${hidden.id}`)).toEqual([]);
  expect(await ids('?transmissionLevelId=999999')).toEqual([]);
  expect((await client.get('/api/melodies?transmissionLevelId=x')).status).toBe(400);
  expect((await client.get(`/api/melodies/${secret.id}`)).status).toBe(404);
  expect((await client.get('/api/melodies/999999')).body).toEqual(
    (await client.get(`/api/melodies/${secret.id}`)).body,
  );
  expect((await client.get('/api/melodies/x')).status).toBe(404);
});
