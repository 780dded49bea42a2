import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { feedback, lineMatchingJobs, recordingLines } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';
import type { MarkedFeedback } from './contract.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const [pema, sonam] = [
  await app.make.student({ firstName: 'Pema', levels: ['Open to All'] }),
  await app.make.student({ levels: ['Open to All'] }),
];

// The third line has two layers, and the fourth has no time.
const TEXT = 'one\ntwo\n\nbo: གསུམ\nen: three\n\nfour';
const TIMINGS = [
  { line: 0, start: 0.5 },
  { line: 1, start: 2 },
  { line: 3, start: 3 },
];

async function aMelody({ text = TEXT, timings = TIMINGS }: { text?: string; timings?: object[] } = {}) {
  const melody = await app.make.melody({ text, audio: createTone(4) });
  await time(melody, timings);
  return melody;
}

const time = (melody: { id: number }, timings: object[]) =>
  teacher.form(`/api/melodies/${melody.id}`, { timings: JSON.stringify(timings) }, { method: 'PUT' });

const at = (start: number, melodyAt?: number | null, text = 'Softer.') => ({
  ...{ start, end: null, text },
  ...(melodyAt !== undefined && { melodyAt }),
});

async function createFeedback(melody: { id: number }, student: { id: string }, ...marks: object[]) {
  const recording = await app.make.recording({ student, melodyId: melody.id, seconds: 5 });
  const sent = await teacher.form('/api/feedback', {
    ...{ recordingId: recording.id, writtenFeedback: 'Good.', marks: JSON.stringify(marks) },
  });
  expect(sent.status).toBe(201);
  return { recordingId: recording.id, id: (sent.body as { id: number }).id };
}

const pathOf = (melody: { id: number }) => `/api/admin/melodies/${melody.id}`;
const getMarkCounts = async (melody: { id: number }) => {
  const { status, body } = await teacher.get(`${pathOf(melody)}/marks-by-line`);
  expect(status).toBe(200);
  const { lines, elsewhere } = body as {
    lines: { number: number; marks: number; students: number }[];
    elsewhere: number;
  };
  return { lines: lines.map(({ number, marks, students }) => [number, marks, students]), elsewhere };
};
const answersAt = async (melody: { id: number }, query = '') =>
  (await teacher.get(`${pathOf(melody)}/marked-answers${query}`)).body as MarkedFeedback[];

test('returns the number of marks at each line and the feedback with these marks', async () => {
  const melody = await aMelody();
  const first = await createFeedback(melody, pema, at(0, 0.5), at(1, 1.9, 'Higher.'), at(4, 3.9));
  // The mark at 1.71 s is less than LINE_START_TOLERANCE_SECONDS before the second line, so it counts for that
  // line.
  const second = await createFeedback(melody, pema, at(1, 1.71), at(2, 2), at(3, 0.1));
  const third = await createFeedback(melody, sonam, at(0, 2.6, 'Breathe.'), at(1, null), at(2, 60));
  const elsewhere = await aMelody();
  await createFeedback(elsewhere, sonam, at(0, 2));

  expect(await teacher.get(`${pathOf(melody)}/marks-by-line`)).toMatchObject({
    body: {
      lines: [
        { number: 1, words: 'one', marks: 1, students: 1 },
        { number: 2, words: 'two', marks: 4, students: 2 },
        { number: 3, words: 'གསུམ', marks: 1, students: 1 },
      ],
      // Three marks: before the first line, set to no line, and after the end of the melody.
      elsewhere: 3,
    },
  });
  const atTwo = await answersAt(melody, '?line=2');
  expect(atTwo.map(({ id, recordingId }) => ({ id, recordingId }))).toEqual([third, second, first]);
  expect(atTwo[0]).toMatchObject({
    student: { username: sonam.username },
    marks: [{ start: 0, end: null, text: 'Breathe.', isSpoken: false }],
  });
  expect(atTwo[2]!.marks.map(({ text }) => text)).toEqual(['Higher.']);
  expect(await answersAt(melody, '?line=3')).toMatchObject([{ id: first.id }]);
  // A line without a time, and a line that does not exist.
  for (const line of [4, 99]) expect(await answersAt(melody, `?line=${line}`)).toEqual([]);
  expect(await answersAt(melody)).toHaveLength(3);
  for (const line of ['0', '-1', 'two', '1.5'])
    expect((await teacher.get(`${pathOf(melody)}/marked-answers?line=${line}`)).status).toBe(400);
});

test('mark endpoints return 403 to students, 401 to visitors, 404 for unknown melodies', async () => {
  const melody = await aMelody();
  await createFeedback(melody, pema, at(0, 0.5));
  const client = await app.as(pema);
  for (const path of ['marks-by-line', 'marked-answers', 'marked-answers?line=1']) {
    expect((await client.get(`${pathOf(melody)}/${path}`)).status).toBe(403);
    expect((await app.visitor().get(`${pathOf(melody)}/${path}`)).status).toBe(401);
    expect((await teacher.get(`/api/admin/melodies/999999/${path}`)).status).toBe(404);
  }
});

test('does not count marks in feedback over six months old or on deleted recordings', async () => {
  const melody = await aMelody();
  const [old, withdrawn] = [
    await createFeedback(melody, pema, at(0, 0.5)),
    await createFeedback(melody, pema, at(0, 2)),
  ];
  await createFeedback(melody, sonam, at(0, 3));
  await app.db
    .update(feedback)
    .set({ createdAt: sql`now() - interval '7 months'` })
    .where(eq(feedback.id, old.id));
  expect((await getMarkCounts(melody)).lines).toEqual([
    [2, 1, 1],
    [3, 1, 1],
  ]);
  await app.db.execute(sql`delete from recordings where id = ${withdrawn.recordingId}`);
  expect((await getMarkCounts(melody)).lines).toEqual([[3, 1, 1]]);
  expect(await answersAt(melody)).toHaveLength(1);
});

test('counts a mark without a melody time at the line detected in the recording', async () => {
  const melody = await aMelody({ timings: [] });
  const { recordingId } = await createFeedback(melody, pema, at(0.9), at(1.5), at(2.4), at(2.9), at(4.5));
  expect(await getMarkCounts(melody)).toEqual({ lines: [], elsewhere: 5 });
  await time(melody, TIMINGS);
  expect(await getMarkCounts(melody)).toEqual({ lines: [], elsewhere: 5 });
  await app.db.delete(lineMatchingJobs).where(eq(lineMatchingJobs.recordingId, recordingId));
  await app.db.insert(recordingLines).values({
    recordingId,
    lines: [
      { line: 0, start: 1, end: 2, sure: 0.9 },
      { line: 1, start: 2, end: 3, sure: 0.4 },
      // Line 4 of the text is the second layer of the third sung line.
      { line: 4, start: 3, end: 4, sure: 0.5 },
    ],
  });
  expect(await getMarkCounts(melody)).toEqual({
    lines: [
      [1, 2, 1],
      [3, 1, 1],
    ],
    // One mark at a line detected with low confidence, and one after the last line.
    elsewhere: 2,
  });
});

test('counts all marks as not tied to a line if the melody has no timed lines', async () => {
  const melody = await app.make.melody({ audio: createTone(4) });
  await createFeedback(melody, pema, at(0, 1), at(1));
  expect(await getMarkCounts(melody)).toEqual({ lines: [], elsewhere: 2 });
  expect(await answersAt(melody, '?line=1')).toEqual([]);
  expect(await getMarkCounts(await aMelody())).toEqual({ lines: [], elsewhere: 0 });
});
