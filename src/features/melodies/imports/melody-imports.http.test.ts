import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';
import { MAX_IMPORTED_MELODIES } from './limits.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const IMPORTS = '/api/admin/melody-imports';
const level = await app.make.level('Open to All');

async function add(
  given: { importId?: string; title?: string; sound?: Buffer; [more: string]: unknown } = {},
) {
  const { sound, ...fields } = { title: `Song ${randomUUID()}`, ...given };
  const reply = await teacher.form('/api/melodies', {
    ...{ transmissionLevelId: level.id, ...fields },
    ...(sound && { audioFile: { bytes: sound, name: 'song.wav' } }),
  });
  return reply as typeof reply & { body: { id: number; audioUrl: string | null } };
}
async function addNote(melodyId: number) {
  const note = { clientId: randomUUID(), line: 0, text: 'Softer' };
  expect((await teacher.post(`/api/melodies/${melodyId}/teaching-notes`, note)).status).toBe(201);
}
const importsNow = async () => (await teacher.get(IMPORTS)).body as { id: string; melodies: number }[];
const undo = (id: string) => teacher.delete(`${IMPORTS}/${id}`);

test('adds a melody with its timings, and rejects a timing for a missing line', async () => {
  const melodyText = 'Namo\nGuru';
  const timings = JSON.stringify([{ line: 1, start: 3.5 }]);
  const { status, body } = await add({ melodyText, timings, sound: createTone(1) });
  expect(status).toBe(201);
  expect((await teacher.get(`/api/melodies/${body.id}`)).body.timings).toEqual([{ line: 1, start: 3.5 }]);
  const silent = await add({ melodyText, timings });
  expect((await teacher.get(`/api/melodies/${silent.body.id}`)).body.timings, 'without a sound').toBeNull();
  const wrong = await add({ melodyText, timings: '[{"line":2,"start":0}]', sound: createTone(1) });
  expect([wrong.status, wrong.body]).toMatchObject([400, { issues: [{ path: 'timings' }] }]);
});

test('undoing an import deletes only the melodies and files of that import', async () => {
  const importId = randomUUID();
  const other = await add({ importId: randomUUID() });
  const made = [await add({ importId, sound: createTone(1) }), await add({ importId })];
  expect((await importsNow())[0]).toMatchObject({ id: importId, melodies: 2 });
  const audio = `/api/files/${made[0]!.body.audioUrl}?type=audio`;
  expect((await teacher.get(audio)).status).toBe(200);
  expect((await undo(importId)).status).toBe(200);
  for (const { body } of made) expect((await teacher.get(`/api/melodies/${body.id}`)).status).toBe(404);
  expect((await teacher.get(audio)).status).toBe(404);
  expect((await teacher.get(`/api/melodies/${other.body.id}`)).status).toBe(200);
  expect((await undo(importId)).status, 'an import can be undone only once').toBe(404);
});

test('a repeated request does not recreate a melody of an undone import', async () => {
  const melody = { importId: randomUUID(), clientId: randomUUID() };
  await add(melody);
  expect((await undo(melody.importId)).status).toBe(200);
  expect((await add(melody)).status).toBe(409);
  expect(await importsNow()).not.toContainEqual(expect.objectContaining({ id: melody.importId }));
});

test('an import can’t be undone once a melody is edited, deleted, sung or given a note', async () => {
  const ways: [string, (id: number) => Promise<unknown>, status: number][] = [
    ['changed', (id) => teacher.form(`/api/melodies/${id}`, { title: 'Another' }, { method: 'PUT' }), 404],
    ['deleted', (id) => teacher.delete(`/api/melodies/${id}`), 404],
    ['taught', addNote, 404],
    [
      'sung',
      async (id) =>
        app.make.recording({ student: await app.make.student({ levels: ['Open to All'] }), melodyId: id }),
      409,
    ],
  ];
  for (const [what, change, status] of ways) {
    const importId = randomUUID();
    const [first, second] = [await add({ importId, melodyText: 'Namo' }), await add({ importId })];
    await change(first.body.id);
    expect((await undo(importId)).status, what).toBe(status);
    expect((await teacher.get(`/api/melodies/${second.body.id}`)).status, what).toBe(200);
    expect((await importsNow()).some(({ id }) => id === importId)).toBe(what === 'sung');
  }
});

test('melodies of the same import can be changed and deleted concurrently', async () => {
  const importId = randomUUID();
  const made = await Promise.all(Array.from({ length: 8 }, () => add({ importId })));
  const replies = await Promise.all(
    made.map(({ body: { id } }, index) =>
      index % 2 === 0
        ? teacher.form(`/api/melodies/${id}`, { title: 'Another' }, { method: 'PUT' })
        : teacher.delete(`/api/melodies/${id}`),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array<number>(8).fill(200));
});

test('a melody added during undo of its import stays in the import or is deleted', async () => {
  const importId = randomUUID();
  await add({ importId });
  const [undone, late] = await Promise.all([undo(importId), add({ importId })]);
  expect(undone.status).toBe(200);
  const { status } = await teacher.get(`/api/melodies/${late.body.id}`);
  const left = (await importsNow()).find(({ id }) => id === importId)?.melodies ?? 0;
  expect([status, left]).toEqual(status === 200 ? [200, 1] : [404, 0]);
});

test('finds audio and titles that the library already has, ignoring the case of titles', async () => {
  const sound = createTone(1, 333);
  const title = `Drölma ${randomUUID()}`;
  await add({ title, sound });
  const sha256 = createHash('sha256').update(sound).digest('hex');
  const asked = { sounds: [sha256, '0'.repeat(64)], titles: [title.toUpperCase(), 'Unknown', ''] };
  const { body } = await teacher.post(`${IMPORTS}/known`, asked);
  expect(body).toEqual({ sounds: [{ sha256, title }], titles: [title.toUpperCase()] });
  // Two melodies with the same audio must not hide a third melody with different audio.
  const other = createTone(1, 444);
  await add({ title, sound });
  await add({ sound: other });
  const both = [sha256, createHash('sha256').update(other).digest('hex')];
  const known = (await teacher.post(`${IMPORTS}/known`, { sounds: both, titles: [] })).body as {
    sounds: { sha256: string }[];
  };
  expect(known.sounds.map((one) => one.sha256).sort()).toEqual(both.sort());
  for (const wrong of [
    { sounds: ['x'], titles: [] },
    { sounds: [], titles: Array(MAX_IMPORTED_MELODIES + 1).fill('a') },
    {},
  ])
    expect((await teacher.post(`${IMPORTS}/known`, wrong)).status).toBe(400);
});
