import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { eventually } from '../../testing/waiting.ts';
import { startTestApp } from '../../testing/app.ts';
import { composeSong, inventSinger, perform, wholeSong } from '../../testing/singing.ts';
import { sungWav } from '../../testing/sung-wav.ts';
import type { RecordingLines } from './contract.ts';

const app = await startTestApp();
const student = await app.make.student({ levels: ['Refuge'] });
const teacher = await app.make.teacher();

const song = composeSong('praise', { lines: 3 });
const byTeacher = perform('melody', song, inventSinger('teacher'), wholeSong(song));
const byStudent = perform('take', song, inventSinger('student'), wholeSong(song).slice(1));
const take = sungWav(byStudent.sound);

// A blank line after the second.
const text = 'one\ntwo\n\nthree';
const numbers = [0, 1, 3];
const timings = byTeacher.lines.map(({ line, start }) => ({ line: numbers[line]!, start }));

async function timedMelody() {
  const melody = await app.make.melody({ level: 'Refuge', audio: sungWav(byTeacher.sound), text });
  await time(melody.id, timings);
  return melody;
}

/** Nothing changes it, so that it is decoded once. */
const praise = await timedMelody();

async function time(melodyId: number, times: typeof timings | null) {
  const sent = await (
    await app.as(teacher)
  ).form(`/api/melodies/${melodyId}`, { timings: times ? JSON.stringify(times) : '' }, { method: 'PUT' });
  expect(sent.status).toBe(200);
}

async function record(melodyId: number | null, bytes = take): Promise<number> {
  const sent = await (
    await app.as(student)
  ).form('/api/recordings', {
    title: 'Praise',
    ...(melodyId !== null && { melodyId }),
    audio: { bytes, name: 'take.wav' },
  });
  expect(sent.status).toBe(201);
  return (sent.body as { id: number }).id;
}

async function linesOf(id: number, who: { id: string } = student): Promise<RecordingLines> {
  const { status, body } = await (await app.as(who)).get(`/api/recordings/${id}/lines`);
  expect(status).toBe(200);
  return body as RecordingLines;
}

const work = () => app.services.linesWorker.runOnce();

test('the lines of a recording are found after it was sent, for its student and the teacher alone', async () => {
  const id = await record(praise.id);
  expect(await linesOf(id)).toEqual({ state: 'working', lines: [] });
  await work();

  const found = await linesOf(id);
  expect(found.state).toBe('ready');
  expect(found.lines.map(({ line }) => line)).toEqual([1, 3]);
  found.lines.forEach(({ start, sure }, at) => {
    expect(Math.abs(start - byStudent.lines[at]!.start)).toBeLessThan(0.25);
    expect(sure).toBeGreaterThan(0.5);
  });
  expect(await linesOf(id, teacher)).toEqual(found);
  const another = await app.as(await app.make.student());
  expect((await another.get(`/api/recordings/${id}/lines`)).status).toBe(404);
});

test('they are found again when the timings change, and gone with the timings and the recording', async () => {
  const melody = await timedMelody();
  const id = await record(melody.id);
  await work();
  await time(melody.id, timings.slice(0, 2));
  expect((await linesOf(id)).state).toBe('working');
  await work();
  expect((await linesOf(id)).lines.map(({ line }) => line)).toContain(1);
  expect((await linesOf(id)).lines.map(({ line }) => line)).not.toContain(3);

  await time(melody.id, null);
  expect(await linesOf(id)).toEqual({ state: 'none', lines: [] });
  await (await app.as(student)).delete(`/api/recordings/${id}`);
  expect((await app.db.execute(sql`select * from recording_lines where recording_id = ${id}`)).rows).toEqual(
    [],
  );
});

test('another song is unsure, and what has no timed melody has none', async () => {
  const lament = composeSong('lament', { lines: 3 });
  const other = perform('other', lament, inventSinger('student'), wholeSong(lament));
  const unsure = await record(praise.id, sungWav(other.sound));
  const untimed = await record(
    (await app.make.melody({ level: 'Refuge', audio: sungWav(byTeacher.sound), text })).id,
  );
  const without = await record(null);
  await work();
  expect(await linesOf(unsure)).toEqual({ state: 'unsure', lines: [] });
  expect(await linesOf(untimed)).toEqual({ state: 'none', lines: [] });
  expect(await linesOf(without)).toEqual({ state: 'none', lines: [] });
});

test('what a dead worker had taken is done once its lease has expired, and not before', async () => {
  const id = await record(praise.id);
  // As a worker that died leaves it.
  const lease = new Date(app.clock.now().getTime() + 180_000);
  await app.db.execute(
    sql`update line_jobs set attempts = 1, due_at = ${lease.toISOString()} where recording_id = ${id}`,
  );
  await work();
  expect((await linesOf(id)).state).toBe('working');
  app.clock.advance(180_001);
  await work();
  expect((await linesOf(id)).state).toBe('ready');
});

test('a sound that cannot be read is given up, and said to be unsure', async () => {
  const id = await record(praise.id);
  await app.db.execute(sql`update media_files set sha256 = 'other' where name = (
    select audio_url from recordings where id = ${id})`);
  for (let attempt = 0; attempt < 3; attempt++) {
    await work();
    app.clock.advance(3_600_001);
  }
  expect(await linesOf(id)).toEqual({ state: 'unsure', lines: [] });
});

test('open pages of its student and of the teacher are told when the lines are known, and nobody else’s', async () => {
  const id = await record(praise.id);
  const readers = [student, teacher, await app.make.student({ levels: ['Refuge'] })];
  const streams = await Promise.all(readers.map(async (who) => (await app.as(who)).stream('/api/events')));
  await work();
  const told = streams.map(({ events }) => events as { refreshes: string[] }[]);
  const lines = { refreshes: [`/api/recordings/${id}/lines`] };
  // They come in order: who has heard of the new level has heard all before it.
  for (const who of readers) await app.make.grant(who, 'Afterwards');
  await eventually(() =>
    expect(told.map((events) => events.at(-1)!.refreshes.includes('/api/melodies'))).toEqual([
      true,
      true,
      true,
    ]),
  );
  expect(told[0]).toContainEqual(lines);
  expect(told[1]).toEqual(expect.arrayContaining([lines, { refreshes: ['/api/recordings/pending'] }]));
  expect(told[0]).not.toContainEqual({ refreshes: ['/api/recordings/pending'] });
  expect(told[2]).toHaveLength(1);
  for (const stream of streams) await stream.close();
});

test('a student is told which melodies are timed, of those that the student may hear', async () => {
  const other = await app.make.melody({ level: 'Lung (Reading Transmission)', audio: take, text });
  await time(other.id, timings);
  const untimed = await app.make.melody({ level: 'Refuge', audio: take, text });
  const timedFor = async (who: { id: string }) =>
    (await (await app.as(who)).get('/api/melodies/timed')).body as number[];
  const mine = await timedFor(student);
  expect(mine).toContain(praise.id);
  expect(mine).not.toContain(other.id);
  expect(mine).not.toContain(untimed.id);
  expect(await timedFor(teacher)).toEqual(expect.arrayContaining([praise.id, other.id]));
});
