import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { TestClient, TestFormParts } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';

// The file store of this test can fail to delete files, and calls `onPublish` when it publishes a file.
let onPublish: ((name: string) => Promise<void> | void) | null = null;
let failRemove = false;
const app = await startTestApp({
  store: (real) => ({
    ...real,
    publish: async (path, name) => {
      await real.publish(path, name);
      await onPublish?.(name);
    },
    remove: async (name) => {
      if (failRemove) throw new Error('the disk is gone');
      await real.remove(name);
    },
  }),
});
beforeEach(() => {
  onPublish = null;
  failRemove = false;
});

const teacher = await app.as(await app.make.teacher());
const picture = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#7a1e2c' } })
  .png()
  .toBuffer();
const song = (seconds: number) => ({ bytes: createTone(seconds), name: 'song.wav' });

const put = (id: number, parts: TestFormParts, client: TestClient = teacher) =>
  client.form(`/api/melodies/${id}`, parts, { method: 'PUT' });

async function addMelody(more: TestFormParts = {}) {
  const level = await app.make.level('Refuge');
  const reply = await teacher.form('/api/melodies', {
    title: 'Green Tara',
    description: 'Twenty-one praises',
    transmissionLevelId: level.id,
    vimeoUrl: 'https://vimeo.com/1',
    melodyText: 'OM\nTARE\nTUTTARE',
    audioFile: song(3),
    thumbnail: { bytes: picture, name: 'tara.png' },
    ...more,
  });
  expect(reply.status).toBe(201);
  return reply.body as { id: number; audioUrl: string; thumbnailUrl: string };
}

/** Returns the names of files without a row, and of rows without a file. */
async function strays() {
  const { rows } = await app.db.execute<{ name: string }>('select name from media_files');
  const named = new Set(rows.map(({ name }) => name));
  const files = new Set(await app.files());
  return [...[...files].filter((name) => !named.has(name)), ...[...named].filter((name) => !files.has(name))];
}

test('a change leaves absent fields unchanged and removes empty texts', async () => {
  const melody = await addMelody();
  const kept = await teacher.get(`/api/melodies/${melody.id}`);
  const same = await put(melody.id, {});
  expect(same.status).toBe(200);
  expect(same.body).toEqual(kept.body);

  const cleared = await put(melody.id, { description: '', vimeoUrl: ' ', melodyText: '' });
  expect(cleared.body).toEqual({ ...kept.body, description: null, vimeoUrl: null, melodyText: null });

  const level = await app.make.level('Open to All');
  const changed = await put(melody.id, {
    title: ' White Tara ',
    transmissionLevelId: level.id,
    melodyText: 'TĀRĀ\r\n ཏཱ་རཱ ',
    createdBy: 'somebody else',
    id: '7',
  });
  expect(changed.body).toMatchObject({
    id: melody.id,
    title: 'White Tara',
    transmissionLevel: { id: level.id, name: 'Open to All' },
    melodyText: 'TĀRĀ\n ཏཱ་རཱ ',
    description: null,
    audioUrl: melody.audioUrl,
  });
  const { rows } = await app.db.execute(sql`select created_by from melodies where id = ${melody.id}`);
  expect(rows[0]?.created_by).not.toBe('somebody else');
});

test('a new file replaces the old file, which is deleted', async () => {
  const melody = await addMelody();
  const reply = await put(melody.id, {
    audioFile: song(5),
    thumbnail: { bytes: picture, name: 'other.png' },
    removeAudio: 'true',
  });
  expect(reply.body).toMatchObject({ duration: 5, title: 'Green Tara', seeksExactly: true });
  expect(reply.body.peaks).not.toBeNull();
  expect(reply.body.audioUrl).not.toBe(melody.audioUrl);
  expect(await app.files()).toEqual(
    expect.arrayContaining([reply.body.audioUrl, reply.body.thumbnailUrl] as string[]),
  );
  expect(await app.files()).not.toContain(melody.audioUrl);
  expect(await app.files()).not.toContain(melody.thumbnailUrl);
  expect((await teacher.get(`/api/files/${melody.audioUrl}?type=audio`)).status).toBe(404);
  expect(await strays()).toEqual([]);
});

test('audio and thumbnail can be removed separately', async () => {
  const melody = await addMelody();
  const noPicture = await put(melody.id, { removeThumbnail: 'true', removeAudio: 'false' });
  expect(noPicture.body).toMatchObject({ thumbnailUrl: null, audioUrl: melody.audioUrl, duration: 3 });
  const neither = await put(melody.id, { removeAudio: 'true' });
  expect(neither.body).toMatchObject({
    audioUrl: null,
    duration: null,
    peaks: null,
    melodyText: 'OM\nTARE\nTUTTARE',
  });
  expect(await strays()).toEqual([]);
});

test.each([
  ['an empty title', { title: '  ' }, 400, 'Title is required', 'title'],
  ['a title of 201 characters', { title: 'x'.repeat(201) }, 400, /200/, 'title'],
  ['a NUL character', { melodyText: 'a\0b' }, 400, /can’t be saved/, 'melodyText'],
  ['no level', { transmissionLevelId: '' }, 400, 'Transmission level is required', 'transmissionLevelId'],
  ['an unknown level', { transmissionLevelId: '999999' }, 404, 'This level no longer exists.', null],
  ['a javascript: URL as video', { vimeoUrl: 'javascript:alert(1)' }, 400, /http/, 'vimeoUrl'],
  ['an invalid boolean', { removeAudio: '1' }, 400, /isn’t valid/, 'removeAudio'],
  [
    'a timing after 24 hours',
    { timings: '[{"line":0,"start":1e300}]' },
    400,
    'A line can’t be timed later than 24 hours from the beginning.',
    'timings',
  ],
  ['malformed timings', { timings: '[{"line":"a"}]' }, 400, /Timings/, 'timings'],
  [
    'a timing for a missing line',
    { timings: '[{"line":3,"start":1}]' },
    400,
    /doesn’t match the words/,
    'timings',
  ],
  ['an unexpected file', { other: song(1) }, 400, /isn’t valid/, 'other'],
  [
    'an SVG as picture',
    { thumbnail: { bytes: Buffer.from('<svg/>'), name: 'a.png' } },
    415,
    /picture/i,
    'thumbnail',
  ],
  [
    'an HTML page as audio',
    { audioFile: { bytes: Buffer.from('<html>'), name: 'a.mp3' } },
    415,
    /./,
    'audioFile',
  ],
  [
    'a good picture and bad audio',
    { thumbnail: { bytes: picture, name: 'a.png' }, audioFile: { bytes: Buffer.from('x'), name: 'a.mp3' } },
    415,
    /./,
    'audioFile',
  ],
] as const)('rejects a change with %s and changes nothing', async (_, wrong, status, message, part) => {
  const melody = await addMelody();
  const before = [
    await teacher.get(`/api/melodies/${melody.id}`).then(({ body }) => body),
    await app.files(),
  ];
  const reply = await put(melody.id, { description: 'Changed', ...wrong });
  expect(reply.status).toBe(status);
  expect(reply.body.message).toMatch(message);
  if (part) expect(reply.body.issues).toEqual([expect.objectContaining({ path: part })]);
  expect([
    await teacher.get(`/api/melodies/${melody.id}`).then(({ body }) => body),
    await app.files(),
  ]).toEqual(before);
});

test('an oversized file is reported at its field, and nothing in the form is saved', async () => {
  const melody = await addMelody();
  const before = await app.files();
  const large = { bytes: Buffer.alloc(10 * 1024 * 1024 + 1), name: 'large.png' };
  const reply = await put(melody.id, { title: 'Large', audioFile: song(1), thumbnail: large });
  const message = 'This picture is too large. Please choose a file of up to 10 MB.';
  expect([reply.status, reply.body]).toEqual([413, { message, issues: [{ path: 'thumbnail', message }] }]);
  expect((await teacher.get(`/api/melodies/${melody.id}`)).body.title).toBe('Green Tara');
  expect(await app.files()).toEqual(before);
});

test('changing or deleting an unknown melody returns 404', async () => {
  for (const id of ['999999', 'x', '0', '-1', '99999999999999']) {
    expect((await teacher.form(`/api/melodies/${id}`, { title: 'A' }, { method: 'PUT' })).status).toBe(404);
    expect((await teacher.delete(`/api/melodies/${id}`)).status).toBe(404);
  }
  const melody = await addMelody();
  expect((await teacher.put(`/api/melodies/${melody.id}`, { title: 'JSON' })).status).toBe(400);
});

test('a student cannot change or delete a melody they may hear', async () => {
  const melody = await addMelody();
  const browser = await app.as(await app.make.student({ levels: ['Refuge'] }));
  expect((await put(melody.id, { title: 'Mine' }, browser)).status).toBe(403);
  expect((await browser.delete(`/api/melodies/${melody.id}`)).status).toBe(403);
  expect((await browser.get(`/api/melodies/${melody.id}`)).body.title).toBe('Green Tara');
});

test('timings follow moved lines and are removed with the audio', async () => {
  const melody = await addMelody();
  const timings = [0, 1, 2].map((line) => ({ line, start: line + 0.25 }));
  const timingsAfter = async (parts: TestFormParts) => (await put(melody.id, parts)).body.timings as unknown;
  expect(await timingsAfter({ timings: JSON.stringify(timings.toReversed()) })).toEqual(timings);
  expect(await timingsAfter({ title: 'Another title' })).toEqual(timings);
  expect(await timingsAfter({ melodyText: 'new\nOM\nTARE' })).toEqual([
    { line: 1, start: 0.25 },
    { line: 2, start: 1.25 },
  ]);
  expect(await timingsAfter({ audioFile: song(2) })).toBeNull();
  expect(await timingsAfter({ audioFile: song(4), timings: '[{"line":0,"start":1}]' })).toEqual([
    { line: 0, start: 1 },
  ]);
  expect(await timingsAfter({ timings: '' })).toBeNull();
  await put(melody.id, { timings: '[{"line":0,"start":1}]' });
  expect(await timingsAfter({ removeAudio: 'true' })).toBeNull();
  expect(await timingsAfter({ timings: '[{"line":0,"start":1}]' })).toBeNull();
});

test('a disk error leaves the melody unchanged', async () => {
  const melody = await addMelody();
  const before = [(await teacher.get(`/api/melodies/${melody.id}`)).body, await app.files()];
  onPublish = () => {
    throw new Error('ENOSPC');
  };
  const reply = await put(melody.id, { title: 'No space', audioFile: song(1) });
  expect(reply.status).toBe(500);
  onPublish = null;
  expect([(await teacher.get(`/api/melodies/${melody.id}`)).body, await app.files()]).toEqual(before);
  expect(await strays()).toEqual([]);
});

test('the file sweep sets aside a file that could not be deleted earlier', async () => {
  const melody = await addMelody();
  failRemove = true;
  const reply = await put(melody.id, { audioFile: song(1) });
  expect(reply.status).toBe(200);
  expect(await strays()).toEqual([melody.audioUrl]);
  const other = await addMelody();
  expect((await teacher.delete(`/api/melodies/${other.id}`)).status).toBe(200);
  failRemove = false;
  await app.services.fileRounds({ before: new Date(Date.now() + 60_000), read: 'none' });
  expect(await strays()).toEqual([]);
  expect((await teacher.get(`/api/files/${reply.body.audioUrl}?type=audio`)).status).toBe(200);
});

test('concurrent changes all take effect and leave no stray files', async () => {
  const melody = await addMelody();
  const replies = await Promise.all([
    put(melody.id, { title: 'By one', audioFile: song(1) }),
    put(melody.id, { description: 'By the other', audioFile: song(2) }),
    put(melody.id, { melodyText: 'By a third', thumbnail: { bytes: picture, name: 'a.png' } }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body } = await teacher.get(`/api/melodies/${melody.id}`);
  expect(body).toMatchObject({ title: 'By one', description: 'By the other', melodyText: 'By a third' });
  expect(await strays()).toEqual([]);
});

test('changing a melody that a concurrent call deletes returns 404 and leaves no files', async () => {
  const melody = await addMelody();
  onPublish = async () => {
    onPublish = null;
    await app.services.melodies.remove(melody.id);
  };
  expect((await put(melody.id, { audioFile: song(1) })).status).toBe(404);
  expect(await strays()).toEqual([]);
});

test('returns 404 if the level is deleted while a melody is being added or changed', async () => {
  const melody = await addMelody();
  for (const send of [
    (levelId: number) => put(melody.id, { transmissionLevelId: levelId, audioFile: song(1) }),
    (levelId: number) =>
      teacher.form('/api/melodies', { title: 'New', transmissionLevelId: levelId, audioFile: song(1) }),
  ]) {
    const level = await app.make.level(`Short-lived ${crypto.randomUUID()}`);
    onPublish = async () => {
      onPublish = null;
      await app.db.execute(sql`delete from transmission_levels where id = ${level.id}`);
    };
    const reply = await send(level.id);
    expect([reply.status, reply.body]).toEqual([404, { message: 'This level no longer exists.' }]);
  }
  expect((await teacher.get(`/api/melodies/${melody.id}`)).body.audioUrl).toBe(melody.audioUrl);
  expect(await strays()).toEqual([]);
});

test('deleting a melody deletes its files, but recordings keep its title', async () => {
  const melody = await addMelody();
  const student = await app.make.student({ levels: ['Refuge'] });
  const browser = await app.as(student);
  const sung = await browser.form('/api/recordings', {
    title: 'Green Tara',
    melodyId: melody.id,
    audio: song(1),
  });
  expect(sung.body.melodyId).toBe(melody.id);
  const reply = await teacher.delete(`/api/melodies/${melody.id}`);
  expect([reply.status, reply.body]).toEqual([200, { message: 'Melody deleted' }]);
  expect((await teacher.get(`/api/melodies/${melody.id}`)).status).toBe(404);
  expect((await teacher.delete(`/api/melodies/${melody.id}`)).status).toBe(404);
  expect((await browser.get('/api/student/recordings')).body).toMatchObject([
    { title: 'Green Tara', melodyId: null, audioUrl: sung.body.audioUrl },
  ]);
  expect(await app.files()).not.toContain(melody.audioUrl);
  expect(await strays()).toEqual([]);
});

test('a melody’s files stay if the database rejects deleting the melody', async () => {
  const melody = await addMelody();
  await app.db.execute(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
  await app.db.execute(
    sql`create trigger refuse after delete on melodies for each row execute function refuse()`,
  );
  expect((await teacher.delete(`/api/melodies/${melody.id}`)).status).toBe(500);
  await app.db.execute(sql`drop trigger refuse on melodies`);
  expect((await teacher.get(`/api/files/${melody.audioUrl}?type=audio`)).status).toBe(200);
});

test('a form that ends in the middle of a file is rejected and changes nothing', async () => {
  const melody = await addMelody();
  const before = await app.files();
  const boundary = 'half-way';
  const body = `--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nHalf\r\n--${boundary}\r\nContent-Disposition: form-data; name="audioFile"; filename="a.wav"\r\n\r\nRIFF`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const reply = await teacher.send('PUT', `/api/melodies/${melody.id}`, body, { headers });
  expect(reply.status).toBe(400);
  expect((await teacher.get(`/api/melodies/${melody.id}`)).body.title).toBe('Green Tara');
  expect(await app.files()).toEqual(before);
});
