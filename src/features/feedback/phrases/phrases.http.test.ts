import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { phrases } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { waitForLockWaiters } from '#testing/wait-for.ts';
import { MAX_PHRASE_NAME_LENGTH, MAX_PHRASE_TEXT_LENGTH, MAX_PHRASES } from './limits.ts';

const app = await startTestApp();
const PATH = '/api/admin/phrases';

async function aTeacher() {
  return app.as(await app.make.teacher());
}

test('an admin adds, changes and removes phrases that no other admin can access', async () => {
  const [teacher, other] = [await aTeacher(), await aTeacher()];
  const breath = { name: 'breath', text: 'Let each line end, {name}.' };
  const made = await teacher.post(PATH, breath);
  expect(made).toMatchObject({ status: 201, body: breath });
  const { id } = made.body as { id: number };
  // Repeats the call, as if its response had been lost.
  expect((await teacher.post(PATH, breath)).body).toEqual(made.body);
  await teacher.post(PATH, { name: 'Bright', text: 'Brighter.' });
  expect(await teacher.post(PATH, { ...breath, name: 'BREATH' })).toMatchObject({ status: 409 });
  expect(await teacher.put(`${PATH}/${id}`, { ...breath, name: 'bright' })).toMatchObject({ status: 409 });

  expect((await other.get(PATH)).body).toEqual([]);
  expect((await other.put(`${PATH}/${id}`, breath)).status).toBe(404);
  expect((await other.delete(`${PATH}/${id}`)).status).toBe(404);
  expect((await other.post(PATH, breath)).status).toBe(201);

  const changed = { id, name: 'ü', text: 'Breathe.' };
  expect(await teacher.put(`${PATH}/${id}`, changed)).toMatchObject({ status: 200, body: changed });
  expect((await teacher.get(PATH)).body).toMatchObject([{ name: 'Bright' }, changed]);
  expect((await teacher.delete(`${PATH}/${id}`)).status).toBe(200);
  expect((await teacher.delete(`${PATH}/${id}`)).status).toBe(404);
  expect((await teacher.get(PATH)).body).toMatchObject([{ name: 'Bright' }]);
});

test('rejects phrases with an invalid name, or with text that is empty or too long', async () => {
  const teacher = await aTeacher();
  const good = { name: 'good', text: 'Good.' };
  for (const wrong of [
    { name: '' },
    { name: 'two words' },
    { name: 'and/or' },
    { name: 'a'.repeat(MAX_PHRASE_NAME_LENGTH + 1) },
    { name: 3 },
    { text: ' ' },
    { text: 'a'.repeat(MAX_PHRASE_TEXT_LENGTH + 1) },
    { text: null },
  ])
    expect((await teacher.post(PATH, { ...good, ...wrong })).status).toBe(400);
  expect((await teacher.get(PATH)).body).toEqual([]);
});

test('enforces the maximum number of phrases, even for concurrent calls', async () => {
  const her = await app.make.teacher();
  const teacher = await app.as(her);
  const add = (name: string) => teacher.post(PATH, { name, text: 'Good.' });
  const kept = { adminId: her.id, text: 'Good.' };
  const rows = Array.from({ length: MAX_PHRASES - 1 }, (_, at) => ({ ...kept, name: `p${at}` }));
  await app.db.insert(phrases).values(rows);
  const added = await app.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from users where id = ${her.id} for update`);
    const both = Promise.all([add('a'), add('b')]);
    await waitForLockWaiters(app.db, 2);
    return { both };
  });
  expect((await added.both).map(({ status }) => status).sort()).toEqual([201, 409]);
  expect((await teacher.get(PATH)).body).toHaveLength(MAX_PHRASES);
});

test('suggests a teacher’s own sentences on a melody, with a placeholder for the name', async () => {
  const [her, other] = [await app.make.teacher(), await app.make.teacher()];
  const melody = await app.make.melody();
  const student = await app.make.student({ levels: ['Open to All'], firstName: 'Tashi' });
  const answer = async (by: typeof her, words: Record<string, string>, melodyId?: number) => {
    const recording = await app.make.recording({ student, ...(melodyId && { melodyId }) });
    const client = await app.as(by);
    expect((await client.form('/api/feedback', { recordingId: recording.id, ...words })).status).toBe(201);
  };
  await answer(her, { writtenFeedback: 'Tashi, let it rise.' }, melody.id);
  await answer(her, { marks: '[{"start":0,"end":null,"text":"Softer here"}]' }, melody.id);
  await answer(her, { writtenFeedback: 'At no melody.' });
  await answer(other, { writtenFeedback: 'By another.' }, melody.id);
  const offered = `/api/admin/melodies/${melody.id}/phrases`;
  expect((await (await app.as(her)).get(offered)).body).toEqual([
    { text: 'Softer here' },
    { text: '{name}, let it rise.' },
  ]);
  expect((await (await app.as(her)).get('/api/admin/melodies/2147483647/phrases')).status).toBe(404);
});
