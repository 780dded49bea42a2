import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const [refuge, wang] = [await app.make.level('Refuge'), await app.make.level('Wang (Empowerment)')];
const pema = await app.make.student({ levels: ['Refuge'] });
const student = await app.as(pema);
const GONE = 999_999;

const change = (what: string, melodyIds: number[], given: object = {}) =>
  teacher.post('/api/melodies/changes', { melodyIds, change: what, ...given });
const listAccessibleMelodyIds = async () =>
  ((await student.get('/api/melodies')).body as { id: number }[]).map(({ id }) => id).sort();
const make = async (...levels: string[]) => {
  const made = [];
  for (const level of levels) made.push((await app.make.melody({ level })).id);
  return made as [number, number, number];
};

test('a bulk level change applies to existing melodies and reports unknown melodies', async () => {
  const ids = await make('Refuge', 'Wang (Empowerment)', 'Refuge');
  const to = { transmissionLevelId: wang.id };
  for (const _ of ['once', 'again']) {
    const reply = await change('level', [ids[0], GONE, ids[1]], to);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        successCount: 2,
        failureCount: 1,
        results: [
          { id: ids[0], ok: true },
          { id: GONE, ok: false, message: 'This melody no longer exists.' },
          { id: ids[1], ok: true },
        ],
      },
    ]);
  }
  expect(await listAccessibleMelodyIds()).toEqual([ids[2]]);
  const unknown = await change('level', [ids[0]], { transmissionLevelId: GONE });
  expect(unknown.body.results).toEqual([{ id: ids[0], ok: false, message: 'This level no longer exists.' }]);
  expect((await change('level', [ids[0]])).body.results).toEqual([
    { id: ids[0], ok: false, message: 'Transmission level is required' },
  ]);
});

test('a bulk change to the current level does not prevent undoing an import', async () => {
  const importId = crypto.randomUUID();
  const { body } = await teacher.form('/api/melodies', {
    ...{ title: 'Of an import', transmissionLevelId: refuge.id, importId },
  });
  await change('level', [body.id], { transmissionLevelId: refuge.id });
  expect((await teacher.delete(`/api/admin/melody-imports/${importId}`)).status).toBe(200);
});

test('a bulk delete removes files, keeps recordings, and can be repeated', async () => {
  const [gone, alsoGone, kept] = await make('Refuge', 'Refuge', 'Refuge');
  await app.make.recording({ student: pema, melodyId: gone });
  const files = await app.files();
  for (const _ of ['once', 'again'])
    expect((await change('delete', [gone, alsoGone])).body).toMatchObject({
      successCount: 2,
      failureCount: 0,
    });
  expect(await listAccessibleMelodyIds()).toEqual(expect.arrayContaining([kept]));
  expect(await listAccessibleMelodyIds()).not.toEqual(expect.arrayContaining([gone]));
  expect(await app.files()).toHaveLength(files.length - 2);
  expect((await student.get('/api/student/recordings')).body).toMatchObject([{ melodyId: null }]);
});

test('the teacher sees which melodies are timed, and how many recordings each has', async () => {
  const [sung, quiet] = await make('Refuge', 'Refuge');
  await teacher.form(
    `/api/melodies/${sung}`,
    { melodyText: 'Om mani', timings: JSON.stringify([{ line: 0, start: 0.5 }]) },
    { method: 'PUT' },
  );
  for (const _ of ['one', 'two']) await app.make.recording({ student: pema, melodyId: sung });
  const { body } = await teacher.get('/api/melodies/use');
  expect(body).toEqual(
    expect.arrayContaining([
      { id: sung, isTimed: true, recordingCount: 2 },
      { id: quiet, isTimed: false, recordingCount: 0 },
    ]),
  );
  expect(body).toHaveLength((await teacher.get('/api/melodies')).body.length);
});

test.each([
  ['no melody', { melodyIds: [] }],
  ['101 melodies', { melodyIds: Array.from({ length: 101 }, (_, index) => index + 1) }],
  ['an unknown change', { change: 'archive' }],
  ['an invalid id', { melodyIds: ['x'] }],
])('rejects a bulk change with %s', async (_, given) => {
  expect((await change('delete', [GONE], given)).status).toBe(400);
});
