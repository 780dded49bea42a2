import { expect, test } from 'vitest';
import { teachingNotes } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';
import { getLineBeginning } from './line-beginning.ts';
import type { TeachingNote } from './contract.ts';
import { MAX_TEACHING_NOTE_LENGTH, MAX_TEACHING_NOTES } from './limits.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());

const pathOf = (melody: { id: number }) => `/api/melodies/${melody.id}/teaching-notes`;
const fileOf = ({ voice }: TeachingNote) => `/api/files/${voice!.audioUrl}?type=audio`;
const body = (more: object = {}) => ({ clientId: crypto.randomUUID(), line: 0, text: 'Softer.', ...more });

async function aMelody(melodyText = 'one\ntwo\nthree') {
  const level = await app.make.level(`Level ${crypto.randomUUID()}`);
  const melody = await app.make.melody({ level: level.name, text: melodyText, audio: null });
  return { level, melody };
}

async function added(melody: { id: number }, more: object = {}) {
  const reply = await teacher.post(pathOf(melody), body(more));
  expect(reply.status).toBe(201);
  return reply.body as TeachingNote;
}

/** Creates feedback whose only mark has a voice comment. */
async function aVoice(bytes: Uint8Array = createTone(1, 330)) {
  const student = await app.make.student();
  const recording = await app.make.recording({ student, seconds: 3 });
  const voice = crypto.randomUUID();
  await teacher.put(`/api/uploads/${voice}`, { size: bytes.length });
  await teacher.patch(`/api/uploads/${voice}?start=0`, bytes);
  const marks = JSON.stringify([{ start: 1, end: null, text: '', voice }]);
  const sent = await teacher.form('/api/feedback', { recordingId: recording.id, marks });
  expect(sent.status).toBe(201);
  return { student, feedback: sent.body as { id: number }, voiceOf: { recordingId: recording.id, voice } };
}

const linesIn = async (melody: { id: number }) =>
  ((await teacher.get(pathOf(melody))).body as TeachingNote[]).map(({ text, line }) => [text, line]);

test('rejects a note if the words of its line have changed since the page loaded', async () => {
  const { melody } = await aMelody('one\n[tib] གཅིག\n\ntwo\nthree');
  const note = await added(melody, { line: 3, lineWords: 'two' });
  const text = 'zero\none\n[tib] གཅིག\n\ntwo\nthree';
  await teacher.form(`/api/melodies/${melody.id}`, { melodyText: text }, { method: 'PUT' });
  const old = { line: 3, lineWords: 'two', text: 'Higher.' };
  for (const reply of [
    await teacher.post(pathOf(melody), body(old)),
    await teacher.put(`/api/teaching-notes/${note.id}`, old),
    await teacher.put(`/api/teaching-notes/${note.id}`, { ...old, lineWords: '' }),
  ]) {
    expect(reply.status).toBe(400);
    expect(reply.body.issues).toMatchObject([
      { path: 'line', message: expect.stringMatching(/have changed/) },
    ]);
  }
  expect((await teacher.put(`/api/teaching-notes/${note.id}`, { ...old, line: 4 })).status).toBe(200);
  expect((await teacher.post(pathOf(melody), body({ line: 1, lineWords: 'one' }))).status).toBe(201);
});

test('repeating the request that created a deleted note does not restore the note', async () => {
  const { melody } = await aMelody();
  const note = body();
  const { id } = await added(melody, note);
  expect((await teacher.delete(`/api/teaching-notes/${id}`)).status).toBe(200);
  expect((await teacher.post(pathOf(melody), note)).status).toBe(409);
  expect(await linesIn(melody)).toEqual([]);
});

test('accepts a note on a very long line if the beginning of the line is unchanged', async () => {
  const whole = 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ། '.repeat(5_000).trim();
  const { melody } = await aMelody(whole);
  await added(melody, { lineWords: getLineBeginning(whole) });
  const other = getLineBeginning(`Another line, ${whole}`);
  expect((await teacher.post(pathOf(melody), body({ lineWords: other }))).status).toBe(400);
});

test('a student can read and play a note only while they have the melody’s level', async () => {
  const { level, melody } = await aMelody();
  const other = await app.make.level(`Level ${crypto.randomUUID()}`);
  const sound = createTone(1, 330);
  const { student, voiceOf } = await aVoice(sound);
  const note = await added(melody, { voiceOf });
  expect(note).toMatchObject({ line: 0, text: 'Softer.', voice: { duration: 1 } });
  const client = await app.as(student);
  const seen = async () => [
    (await client.get(pathOf(melody))).status,
    (await client.get(fileOf(note))).status,
    (await client.get(fileOf(note), { headers: { range: 'bytes=0-9' } })).status,
  ];
  const access = `/api/admin/users/${student.id}/transmission-access`;
  // The note is hidden although it was made from a mark on the student's own recording.
  expect(await seen()).toEqual([404, 404, 404]);
  expect((await teacher.post(access, { transmissionLevelId: level.id })).status).toBeLessThan(300);
  expect(await seen()).toEqual([200, 200, 206]);
  expect((await client.get(pathOf(melody))).body).toEqual([note]);
  expect((await client.get(fileOf(note))).bytes.equals(sound)).toBe(true);
  expect((await app.visitor().get(fileOf(note))).status).toBe(401);

  expect((await teacher.delete(`${access}/${level.id}`)).status).toBe(200);
  expect(await seen()).toEqual([404, 404, 404]);
  await teacher.post(access, { transmissionLevelId: level.id });
  const moved = await teacher.form(
    `/api/melodies/${melody.id}`,
    { transmissionLevelId: other.id },
    { method: 'PUT' },
  );
  expect(moved.status).toBe(200);
  expect(await seen()).toEqual([404, 404, 404]);
});

test('a note’s voice recording outlives its mark, and is deleted with the melody', async () => {
  const { melody } = await aMelody();
  const { feedback, voiceOf } = await aVoice();
  const before = (await app.files()).length;
  const note = await added(melody, { text: ' ', voiceOf });
  expect(note).toMatchObject({ text: '', voice: {} });
  const corrected = { marks: '[]', writtenFeedback: 'Good.' };
  await teacher.form(`/api/feedback/${feedback.id}`, corrected, { method: 'PUT' });
  expect((await teacher.get(fileOf(note))).status).toBe(200);
  expect((await teacher.post(pathOf(melody), body({ voiceOf }))).status).toBe(404);
  expect((await teacher.delete(`/api/melodies/${melody.id}`)).status).toBe(200);
  expect((await teacher.get(fileOf(note))).status).toBe(404);
  // The voice files of both the mark and the note are gone.
  expect(await app.files()).toHaveLength(before - 1);
});

test('the teacher edits, orders and deletes notes, but cannot save invalid notes', async () => {
  const { melody } = await aMelody();
  const { voiceOf } = await aVoice();
  const sent = body({ line: 1, text: 'first', voiceOf });
  const first = (await teacher.post(pathOf(melody), sent)).body as TeachingNote;
  // Repeats the request, as if its response had been lost.
  expect(await teacher.post(pathOf(melody), sent)).toMatchObject({ status: 200, body: first });
  const second = await added(melody, { line: 1, text: 'second' });
  const elsewhere = await added((await aMelody()).melody);
  expect(
    (await teacher.put(`${pathOf(melody)}/order`, { ids: [elsewhere.id, second.id, first.id] })).status,
  ).toBe(200);
  expect(await linesIn(melody)).toEqual([
    ['second', 1],
    ['first', 1],
  ]);

  const path = `/api/teaching-notes/${first.id}`;
  for (const wrong of [
    { line: 3, text: 'a' },
    { line: -1, text: 'a' },
    { line: 0, text: '', removeVoice: true },
  ])
    expect((await teacher.put(path, wrong)).status).toBe(400);
  const changed = await teacher.put(path, { line: 0, text: 'changed', removeVoice: true });
  expect(changed).toMatchObject({ status: 200, body: { line: 0, text: 'changed', voice: null } });
  expect((await teacher.get(fileOf(first))).status).toBe(404);
  for (const wrong of [
    { text: '' },
    { text: 'a'.repeat(MAX_TEACHING_NOTE_LENGTH + 1) },
    { line: 9 },
    { line: 0.5 },
  ])
    expect((await teacher.post(pathOf(melody), body(wrong))).status).toBe(400);
  expect((await teacher.delete(`/api/teaching-notes/${second.id}`)).status).toBe(200);
  expect((await teacher.delete(`/api/teaching-notes/${second.id}`)).status).toBe(404);
  expect(await linesIn(melody)).toEqual([['changed', 0]]);
});

test('open pages refetch a melody after one of its notes is deleted', async () => {
  const { level, melody } = await aMelody();
  const note = await added(melody);
  const page = await app.as(await app.make.student({ levels: [level.name] }));
  await app.untilHeard();
  const stream = await page.stream('/api/events');
  expect((await teacher.delete(`/api/teaching-notes/${note.id}`)).status).toBe(200);
  await expect.poll(() => JSON.stringify(stream.events)).toContain('/api/melodies');
  await stream.close();
});

test('rejects notes beyond the limit per melody', async () => {
  const { melody } = await aMelody();
  const rows = Array.from({ length: MAX_TEACHING_NOTES - 1 }, (_, position) => ({
    ...body(),
    ...{ melodyId: melody.id, text: 'Softer.', line: 0, position },
  }));
  await app.db.insert(teachingNotes).values(rows);
  await added(melody);
  expect(await teacher.post(pathOf(melody), body())).toMatchObject({ status: 409 });
});

test('a note follows its line when the words are edited', async () => {
  const { melody } = await aMelody('one\ntwo\nthree');
  for (const [line, text] of ['at one', 'at two', 'at three'].entries()) await added(melody, { line, text });
  const edit = (melodyText: string) =>
    teacher.form(`/api/melodies/${melody.id}`, { melodyText }, { method: 'PUT' });
  await edit('new\none\ntwo, corrected\nthree');
  expect(await linesIn(melody)).toEqual([
    ['at one', 1],
    ['at two', 2],
    ['at three', 3],
  ]);
  await edit('one');
  expect(await linesIn(melody)).toEqual([
    ['at one', 0],
    ['at two', 0],
    ['at three', 0],
  ]);
});
