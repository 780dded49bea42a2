import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { composeSong, inventSinger, renderPerformance, toWav, getAllParts } from '#testing/singing.ts';
import { waitFor, waitForLockWaiters } from '#testing/wait-for.ts';
import type { RecordingLines } from './contract.ts';

const app = await startTestApp();
const student = await app.make.student({ levels: ['Refuge'] });
const teacher = await app.make.teacher();

const song = composeSong('praise', { lines: 3 });
const byTeacher = renderPerformance('melody', song, inventSinger('teacher'), getAllParts(song));
const byStudent = renderPerformance('take', song, inventSinger('student'), getAllParts(song).slice(1));
const take = toWav(byStudent.sound);

// There is a blank line after the second line.
const text = 'one\ntwo\n\nthree';
const numbers = [0, 1, 3];
const timings = byTeacher.lines.map(({ line, start }) => ({ line: numbers[line]!, start }));

async function timedMelody() {
  const melody = await app.make.melody({ level: 'Refuge', audio: toWav(byTeacher.sound), text });
  await time(melody.id, timings);
  return melody;
}

/** Melody that no test changes, so that it is decoded only once. */
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

test('finds lines after submission, and shows them only to the student and teacher', async () => {
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

test('lines are found again after new timings, and deleted with their recording', async () => {
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

test('returns “unsure” for another song, and “none” without a timed melody', async () => {
  const lament = composeSong('lament', { lines: 3 });
  const other = renderPerformance('other', lament, inventSinger('student'), getAllParts(lament));
  const unsure = await record(praise.id, toWav(other.sound));
  const untimed = await record(
    (await app.make.melody({ level: 'Refuge', audio: toWav(byTeacher.sound), text })).id,
  );
  const without = await record(null);
  await work();
  expect(await linesOf(unsure)).toEqual({ state: 'unsure', lines: [] });
  expect(await linesOf(untimed)).toEqual({ state: 'none', lines: [] });
  expect(await linesOf(without)).toEqual({ state: 'none', lines: [] });
});

test('retries a dead worker’s job only after its lease expires', async () => {
  const id = await record(praise.id);
  // Simulates a worker that died. It leaves a job that was tried once, with an unexpired lease.
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

test('gives up on unreadable audio and reports the lines as unsure', async () => {
  const id = await record(praise.id);
  await app.db.execute(sql`update media_files set sha256 = 'other' where name = (
    select audio_url from recordings where id = ${id})`);
  for (let attempt = 0; attempt < 3; attempt++) {
    await work();
    app.clock.advance(3_600_001);
  }
  expect(await linesOf(id)).toEqual({ state: 'unsure', lines: [] });
});

test('notifies only the student and the teacher when a recording’s lines are found', async () => {
  const id = await record(praise.id);
  const readers = [student, teacher, await app.make.student({ levels: ['Refuge'] })];
  await app.untilHeard();
  const streams = await Promise.all(readers.map(async (who) => (await app.as(who)).stream('/api/events')));
  await work();
  const told = streams.map(({ events }) => events as { refreshes: string[] }[]);
  const lines = { refreshes: [`/api/recordings/${id}/lines`] };
  // Causes one more event for each reader. Events arrive in order, so when this event arrives, all earlier
  // events have arrived.
  for (const who of readers) await app.make.grant(who, 'Afterwards');
  await waitFor(() =>
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

/** Runs the call while a deletion holds the lock on the recording. */
async function callDuringDeletion<T>(id: number, call: () => Promise<T>): Promise<T> {
  let called!: Promise<T>;
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from recordings where id = ${id} for update`);
    called = call();
    await waitForLockWaiters(app.db, 1);
    await tx.execute(sql`delete from recordings where id = ${id}`);
  });
  return called;
}

test('accepts new timings while a recording of the melody is being deleted', async () => {
  const melody = await timedMelody();
  const id = await record(melody.id);
  await app.db.execute(sql`delete from line_jobs where recording_id = ${id}`);
  await callDuringDeletion(id, () => time(melody.id, timings.slice(1)));
  expect((await (await app.as(teacher)).get(`/api/melodies/${melody.id}`)).body.timings).toHaveLength(2);
});

test('a search for lines does not fail while its recording is being deleted', async () => {
  const id = await record(praise.id);
  await callDuringDeletion(id, work);
  expect((await (await app.as(student)).get(`/api/recordings/${id}/lines`)).status).toBe(404);
});

test('hides the lines from a student who may no longer hear the melody', async () => {
  const level = await app.make.level(`Level ${crypto.randomUUID()}`);
  const own = await app.make.student({ levels: [level.name] });
  const melody = await app.make.melody({ level: level.name, audio: take, text });
  await time(melody.id, timings);
  const { id } = await app.make.recording({ student: own, melodyId: melody.id });
  await storeFoundLines(id, [buildFoundLine(0, 0, 1)]);
  const linesFor = async (who: { id: string }) =>
    (await (await app.as(who)).get(`/api/recordings/${id}/lines`)).body as RecordingLines;
  expect(await linesFor(own)).toMatchObject({ state: 'ready' });
  await (await app.as(teacher)).delete(`/api/admin/users/${own.id}/transmission-access/${level.id}`);
  expect(await linesFor(own)).toEqual({ state: 'none', lines: [] });
  expect(await linesFor(teacher)).toMatchObject({ state: 'ready' });
});

test('a student can list which melodies of their levels are timed', async () => {
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

const correct = async (id: number, body: object, who: { id: string } = teacher) =>
  (await app.as(who)).put(`/api/recordings/${id}/lines`, body);

/** Stores lines as the decoder would have found them, without decoding audio. */
async function storeFoundLines(id: number, lines: RecordingLines['lines']) {
  await app.db.execute(sql`delete from line_jobs where recording_id = ${id}`);
  await app.db
    .execute(sql`insert into recording_lines (recording_id, lines) values (${id}, ${JSON.stringify(lines)})
    on conflict (recording_id) do update set lines = excluded.lines`);
}
const buildFoundLine = (line: number, start: number, end: number, sure = 0.9) => ({ line, start, end, sure });

/**
 * Runs the call while another correction of the same lines is being written. The other correction commits
 * first.
 */
async function callDuringCorrection<T>(id: number, lines: RecordingLines['lines'], call: () => Promise<T>) {
  let called: Promise<T> | undefined;
  await app.db.transaction(async (tx) => {
    await tx.execute(
      sql`update recording_lines set lines = ${JSON.stringify(lines)} where recording_id = ${id}`,
    );
    called = call();
    await waitForLockWaiters(app.db, 1);
  });
  return called!;
}

async function recordFound(melodyId: number, ...lines: RecordingLines['lines']) {
  const id = await record(melodyId);
  await storeFoundLines(id, lines);
  return id;
}

describe('correcting where a line begins', () => {
  test('a correction makes the line certain for teacher and student, and can be changed', async () => {
    const id = await recordFound(praise.id, buildFoundLine(0, 0.5, 2), buildFoundLine(1, 2, 4, 0.2));
    const { status, body } = await correct(id, { line: 1, was: 2, start: 1.8 });
    expect(status).toBe(200);
    const corrected = { state: 'ready', lines: [buildFoundLine(0, 0.5, 1.8), buildFoundLine(1, 1.8, 4, 1)] };
    expect(body).toEqual(corrected);
    expect(await linesOf(id)).toEqual(corrected);
    await correct(id, { line: 1, was: 1.8, start: 2 });
    expect((await linesOf(id)).lines[1]).toEqual(buildFoundLine(1, 2, 4, 1));
  });

  test('students cannot correct lines, and impossible corrections are rejected', async () => {
    const id = await recordFound(
      praise.id,
      buildFoundLine(0, 0.5, 2),
      buildFoundLine(1, 2, 4),
      buildFoundLine(0, 4, 5),
    );
    const body = { line: 1, was: 2, start: 1.8 };
    expect((await correct(id, body, student)).status).toBe(403);
    expect((await correct(999_999, body)).status).toBe(404);
    for (const [wrong, status] of [
      [{ ...body, start: 0.5 }, 400],
      [{ ...body, start: 4 }, 400],
      [{ ...body, start: -1 }, 400],
      [{ ...body, start: 'soon' }, 400],
      [{ ...body, start: null }, 400],
      [{ ...body, line: 1.5 }, 400],
      [{ line: 1, start: 1.8 }, 400],
      [{ line: 0, was: 4, start: 3_600 }, 400],
      // A line that the melody does not have, and a line that does not begin at `was`.
      [{ ...body, line: 77 }, 409],
      [{ ...body, was: 2.3 }, 409],
    ] as const)
      expect([wrong, (await correct(id, wrong)).status]).toEqual([wrong, status]);
    expect((await linesOf(id)).lines).toEqual([
      buildFoundLine(0, 0.5, 2),
      buildFoundLine(1, 2, 4),
      buildFoundLine(0, 4, 5),
    ]);
    const unknown = await record(null);
    expect((await correct(unknown, body)).status).toBe(409);
  });

  test('concurrent corrections conflict only if they change the same line', async () => {
    const id = await recordFound(
      praise.id,
      buildFoundLine(0, 0.5, 2),
      buildFoundLine(1, 2, 4),
      buildFoundLine(3, 4, 6),
    );
    const second = await callDuringCorrection(
      id,
      [buildFoundLine(0, 0.5, 1.8), buildFoundLine(1, 1.8, 4, 1), buildFoundLine(3, 4, 6)],
      () => correct(id, { line: 1, was: 2, start: 2.2 }),
    );
    expect(second.status).toBe(409);
    expect((await linesOf(id)).lines[1]!.start).toBe(1.8);
    const other = await app.make.teacher();
    const own = await Promise.all([
      correct(id, { line: 0, was: 0.5, start: 0.7 }),
      correct(id, { line: 3, was: 4, start: 3.9 }, other),
    ]);
    expect(own.map(({ status }) => status)).toEqual([200, 200]);
    expect((await linesOf(id)).lines.map(({ start }) => start)).toEqual([0.7, 1.8, 3.9]);
  });

  test('withdrawing the recording also discards the correction', async () => {
    const id = await recordFound(praise.id, buildFoundLine(0, 0.5, 2));
    const taken = app.as(student).then((client) => client.delete(`/api/recordings/${id}`));
    const [corrected, { status }] = await Promise.all([
      correct(id, { line: 0, was: 0.5, start: 0.7 }),
      taken,
    ]);
    expect([200, 404, 409]).toContain(corrected.status);
    expect(status).toBe(200);
    expect((await correct(id, { line: 0, was: 0.7, start: 0.6 })).status).toBe(404);
  });

  test('a correction survives failed searches until its line loses its timing', async () => {
    const melody = await timedMelody();
    const id = await recordFound(
      melody.id,
      buildFoundLine(0, 0.5, 2),
      buildFoundLine(1, 2, 4),
      buildFoundLine(3, 4, 6),
    );
    await correct(id, { line: 1, was: 2, start: 2.1 });
    await correct(id, { line: 3, was: 4, start: 4.1 });
    // Makes the audio unreadable, so that the search fails for good.
    await app.db.execute(
      sql`update media_files set sha256 = 'other' where name = (select audio_url from melodies where id = ${melody.id})`,
    );
    const againWith = async (times: typeof timings) => {
      await time(melody.id, times);
      expect((await linesOf(id)).state).toBe('working');
      for (let attempt = 0; attempt < 3; attempt++) {
        await work();
        app.clock.advance(3_600_001);
      }
    };
    await againWith(timings.map(({ line, start }) => ({ line, start: start + 0.01 })));
    const kept = [buildFoundLine(1, 2.1, 4.1, 1), buildFoundLine(3, 4.1, 6, 1)];
    expect(await linesOf(id)).toEqual({ state: 'ready', lines: kept });
    await againWith(timings.filter(({ line }) => line !== 1));
    expect(await linesOf(id)).toEqual({ state: 'ready', lines: kept.slice(1) });
  });

  test('a running search for lines does not overwrite a correction made before it ends', async () => {
    const [first, second] = byStudent.lines.map(({ start, end }) => ({ start, end }));
    const at = (line: number, { start, end }: { start: number; end: number }) =>
      buildFoundLine(line, start, end);
    const id = await recordFound(praise.id, at(1, first!), at(3, second!));
    await app.db.execute(sql`insert into line_jobs (recording_id) values (${id})`);
    const moved = first!.start + 0.4;
    const { status, body } = await correct(id, { line: 1, was: first!.start, start: moved });
    expect([status, body]).toEqual([200, { state: 'working', lines: [] }]);
    // Corrects the lines once more while the job finishes.
    const later = (await readStoredLines(id)).map((line) => ({
      ...line,
      start: line.start + 0.1,
      isCorrected: true,
    }));
    await callDuringCorrection(id, later, work);
    expect((await linesOf(id)).lines).toMatchObject([
      { line: 1, start: moved + 0.1, sure: 1 },
      { line: 3, start: second!.start + 0.1 },
    ]);
  });

  test('a correction follows its line when the text is edited', async () => {
    const melody = await timedMelody();
    const id = await recordFound(
      melody.id,
      buildFoundLine(0, 0.5, 2),
      buildFoundLine(1, 2, 4),
      buildFoundLine(3, 4, 6),
    );
    await correct(id, { line: 1, was: 2, start: 2.1 });
    await correct(id, { line: 3, was: 4, start: 4.1 });
    const edit = async (words: string, times: typeof timings) =>
      (await app.as(teacher)).form(
        `/api/melodies/${melody.id}`,
        { melodyText: words, timings: JSON.stringify(times) },
        { method: 'PUT' },
      );
    const [one, two, three] = timings.map(({ start }) => start);
    // Adds a line above the others, and changes a letter in the second line.
    await edit('title\none\nTwo\n\nthree', [
      { line: 1, start: one! },
      { line: 2, start: two! },
      { line: 4, start: three! },
    ]);
    await storeFoundLines(id, await readStoredLines(id));
    expect((await linesOf(id)).lines.map(({ line, start }) => [line, start])).toEqual([
      [1, 0.5],
      [2, 2.1],
      [4, 4.1],
    ]);
    // A page that still shows the old numbers can't correct the wrong line.
    expect((await correct(id, { line: 1, was: 2.1, start: 2 })).status).toBe(409);
    // Deletes the second line. Its correction must not move to the third line.
    await edit('title\none\n\nthree', [
      { line: 1, start: one! },
      { line: 3, start: three! },
    ]);
    expect((await readStoredLines(id)).map(({ line, start }) => [line, start])).toEqual([
      [1, 0.5],
      [3, 4.1],
    ]);
  });
});

/** Returns the stored lines, including the fields that the API leaves out. */
const readStoredLines = async (id: number) =>
  (await app.db.execute(sql`select lines from recording_lines where recording_id = ${id}`)).rows[0]![
    'lines'
  ] as RecordingLines['lines'];

test('the inbox shows which lines were left out or repeated, by number', async () => {
  const melody = await timedMelody();
  const gap = await recordFound(melody.id, buildFoundLine(0, 0.5, 2), buildFoundLine(3, 2.2, 4));
  const again = await recordFound(
    melody.id,
    buildFoundLine(1, 0.5, 2),
    buildFoundLine(1, 2, 4),
    buildFoundLine(3, 4, 6),
  );
  const unsure = await recordFound(melody.id, buildFoundLine(0, 0.5, 2), buildFoundLine(3, 2.2, 4, 0.3));
  const queued = await recordFound(melody.id, buildFoundLine(0, 0.5, 2), buildFoundLine(3, 2.2, 4));
  await app.db.execute(sql`insert into line_jobs (recording_id) values (${queued})`);
  const { body } = await (await app.as(teacher)).get('/api/recordings/pending');
  const saidOf = (id: number) =>
    (body as { id: number; sungOtherwise?: object }[]).find((each) => each.id === id)!.sungOtherwise;
  expect(saidOf(gap)).toEqual({ leftOut: [2], repeated: [] });
  expect(saidOf(again)).toEqual({ leftOut: [], repeated: [{ line: 2, times: 2 }] });
  expect(saidOf(unsure)).toBeUndefined();
  expect(saidOf(queued)).toBeUndefined();
});
