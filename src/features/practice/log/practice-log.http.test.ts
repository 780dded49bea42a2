import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { practiceIdempotencyKeys, melodies, practisedMelodies } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { unzip } from '#testing/unzip.ts';
import type { PractisedMelody } from './contract.ts';
import {
  MAX_PRACTICE_ADDITIONS_PER_CALL,
  MAX_PRACTICE_IDEMPOTENCY_KEYS,
  MAX_PRACTICE_SECONDS_PER_DAY,
  MAX_PRACTICE_LOG_ENTRIES,
  MAX_PRACTISED_MELODIES,
} from './limits.ts';

const app = await startTestApp();
const LOG = '/api/user/practice-log';
const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const TODAY = dayIn(0);

async function studentWith(...levels: string[]) {
  const student = await app.make.student({ levels });
  const browser = await app.as(student);
  await browser.put(LOG, { keepsPracticeLog: true });
  return { student, browser };
}

const buildAddition = (melodyId: number, given: object = {}) => ({
  ...{ clientId: randomUUID(), melodyId, day: TODAY, seconds: 90, times: 1 },
  ...given,
});
const add = (browser: TestClient, ...additions: object[]) => browser.post(LOG, { additions });
const logOf = async (browser: TestClient) => (await browser.get(LOG)).body as PractisedMelody[];
const daysOf = async (browser: TestClient, id: number) => (await browser.get(`${LOG}/${id}/days`)).body;

test('after opt-in, counts practice per melody and day, visible only to the student', async () => {
  const student = await app.make.student({ levels: ['Open to All'] });
  const browser = await app.as(student);
  const { browser: other } = await studentWith('Open to All');
  const teacher = await app.as(await app.make.teacher());
  const [a, b] = [await app.make.melody({ title: 'Seven Line Prayer' }), await app.make.melody()];

  expect((await browser.get('/api/user')).body.keepsPracticeLog).toBe(false);
  expect((await add(browser, buildAddition(a.id))).status).toBe(200);
  expect(await logOf(browser), 'nothing is counted before opting in').toEqual([]);

  await browser.put(LOG, { keepsPracticeLog: true });
  expect((await browser.get('/api/user')).body.keepsPracticeLog).toBe(true);
  await add(browser, buildAddition(a.id), buildAddition(a.id, { seconds: 30, times: 2 }));
  await add(browser, buildAddition(a.id, { day: dayIn(-1) }), buildAddition(b.id, { day: dayIn(-1) }));
  const [first, second] = await logOf(browser);
  expect(first).toEqual({
    ...{ id: first!.id, melodyId: a.id, title: 'Seven Line Prayer', target: null, sungBefore: 0 },
    ...{ seconds: 210, times: 4, last: { day: TODAY, seconds: 120, times: 3 } },
  });
  expect(second).toMatchObject({ melodyId: b.id, seconds: 90, times: 1 });
  expect(await daysOf(browser, first!.id)).toEqual([
    { day: TODAY, seconds: 120, times: 3 },
    { day: dayIn(-1), seconds: 90, times: 1 },
  ]);

  expect(await logOf(other)).toEqual([]);
  const mine = `${LOG}/${first!.id}`;
  const correction = { seconds: 0, times: 0, seen: { seconds: 120, times: 3 } };
  for (const [client, status] of [
    [other, 404],
    [teacher, 403],
  ] as const) {
    expect((await client.get(`${mine}/days`)).status).toBe(status);
    expect((await client.put(mine, { target: 1, sungBefore: 1 })).status).toBe(status);
    expect((await client.put(`${mine}/days/${TODAY}`, correction)).status).toBe(status);
    expect((await client.delete(mine)).status).toBe(status);
  }
  await other.delete(LOG);
  const shown = await teacher.get(`/api/admin/users/${student.id}`);
  expect(JSON.stringify(shown.body)).not.toMatch(/practice/i);
  expect(await logOf(browser)).toHaveLength(2);
  expect((await logOf(browser))[0]).toEqual(first);
});

test('counts retried or duplicated practice only once', async () => {
  const { student, browser } = await studentWith('Open to All');
  const { id } = await app.make.melody();
  const [one, two] = [buildAddition(id), buildAddition(id, { seconds: 10 })];
  await Promise.all([add(browser, one, two), add(browser, two, one), add(browser, one, one)]);
  await add(browser, { ...one, clientId: one.clientId.toUpperCase() });
  expect(await logOf(browser)).toMatchObject([{ seconds: 100, times: 2 }]);

  const { browser: other } = await studentWith('Open to All');
  await add(other, one);
  expect(await logOf(other), 'another student may use the same id').toMatchObject([{ seconds: 90 }]);

  const [entry] = await logOf(browser);
  await browser.delete(`${LOG}/${entry!.id}`);
  await add(browser, one, two);
  expect(await logOf(browser), 'a deleted entry does not come back').toEqual([]);

  await app.db
    .update(practiceIdempotencyKeys)
    .set({ day: dayIn(-401) })
    .where(eq(practiceIdempotencyKeys.userId, student.id));
  await add(browser, buildAddition(id));
  expect(await app.db.$count(practiceIdempotencyKeys, eq(practiceIdempotencyKeys.userId, student.id))).toBe(
    1,
  );
});

test('skips additions for inaccessible melodies or invalid days, and adds the rest', async () => {
  const { browser } = await studentWith('Open to All');
  const [open, refuge] = [await app.make.melody(), await app.make.melody({ level: 'Refuge' })];
  const { status } = await add(
    browser,
    buildAddition(refuge.id),
    buildAddition(2_000_000_000),
    buildAddition(open.id, { day: dayIn(2) }),
    buildAddition(open.id, { day: dayIn(-401) }),
    buildAddition(open.id, { seconds: MAX_PRACTICE_SECONDS_PER_DAY }),
    buildAddition(open.id, { seconds: MAX_PRACTICE_SECONDS_PER_DAY }),
  );
  expect(status).toBe(200);
  expect(await logOf(browser), 'the title of an inaccessible melody is hidden').toMatchObject([
    { melodyId: open.id, seconds: MAX_PRACTICE_SECONDS_PER_DAY, times: 2 },
  ]);
  for (const wrong of [
    { clientId: 'x' },
    { day: '2026-02-30' },
    { day: '20 November' },
    { seconds: -1 },
    { seconds: 1.5 },
    { seconds: MAX_PRACTICE_SECONDS_PER_DAY + 1 },
    { times: '3' },
    { melodyId: 0 },
  ])
    expect((await add(browser, buildAddition(open.id, wrong))).status, JSON.stringify(wrong)).toBe(400);
  const many = Array.from({ length: MAX_PRACTICE_ADDITIONS_PER_CALL + 1 }, () => buildAddition(open.id));
  expect((await add(browser, ...many)).status).toBe(400);
  expect((await add(browser, ...many.slice(1))).status).toBe(200);
});

test('limits the number of melodies in a log, even with concurrent calls', async () => {
  const { student, browser } = await studentWith('Open to All');
  await app.db.execute(
    sql`insert into practised_melodies (user_id, title) select ${student.id}, 'Gone' from generate_series(1, ${MAX_PRACTISED_MELODIES - 1})`,
  );
  const made = await Promise.all(Array.from({ length: 6 }, () => app.make.melody()));
  await Promise.all(made.map(({ id }) => add(browser, buildAddition(id))));
  const kept = await app.db.$count(practisedMelodies, eq(practisedMelodies.userId, student.id));
  expect(kept).toBe(MAX_PRACTISED_MELODIES);
});

test('limits the number of days and idempotency keys in a practice log', async () => {
  const { student, browser } = await studentWith('Open to All');
  const { id: melodyId } = await app.make.melody();
  await add(browser, buildAddition(melodyId));
  const [{ id }] = (await logOf(browser)) as [PractisedMelody];
  await app.db.transaction(async (tx) => {
    // Disables the timeout, because inserting this many rows takes too long on a busy machine.
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`insert into practice_days (practised_melody_id, day, seconds, times)
      select ${id}, date '1700-01-01' + day, 60, 1 from generate_series(2, ${MAX_PRACTICE_LOG_ENTRIES}) as day`);
    await tx.execute(sql`insert into added_practice (user_id, client_id, day)
      select ${student.id}, gen_random_uuid(), ${dayIn(-1)} from generate_series(1, ${MAX_PRACTICE_IDEMPOTENCY_KEYS + 50})`);
  });

  const again = buildAddition(melodyId);
  await add(browser, again, buildAddition(melodyId, { day: dayIn(-1) }));
  await add(browser, again);
  expect(await daysOf(browser, id), 'existing days still grow, once per call').toMatchObject([
    { day: TODAY, times: 2 },
    { day: expect.not.stringMatching(dayIn(-1)) },
    ...Array<object>(29).fill({}),
  ]);
  expect(await app.db.$count(practiceIdempotencyKeys, eq(practiceIdempotencyKeys.userId, student.id))).toBe(
    MAX_PRACTICE_IDEMPOTENCY_KEYS,
  );
  const correction = { seconds: 60, times: 2, seen: { seconds: 0, times: 0 } };
  const refused = await browser.put(`${LOG}/${id}/days/${dayIn(-1)}`, correction);
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/log is full/)]);
});

test('practice stays in the log after a level is revoked or the melody is deleted', async () => {
  const { student, browser } = await studentWith('Open to All');
  const level = await app.make.grant(student, 'Refuge');
  const teacher = await app.make.teacher();
  const melody = await app.make.melody({ level: 'Refuge', title: 'Refuge Prayer' });
  await add(browser, buildAddition(melody.id));
  await app.services.users.revoke(student.id, level.id, teacher);
  await app.db.update(melodies).set({ title: 'Another Name' }).where(eq(melodies.id, melody.id));
  await add(browser, buildAddition(melody.id));
  expect(await logOf(browser), 'practice from before the revocation counts').toMatchObject([
    { melodyId: null, title: 'Refuge Prayer', times: 2 },
  ]);
  await app.services.users.grant(student.id, level.id, teacher);
  expect(await logOf(browser)).toMatchObject([{ melodyId: melody.id }]);
  await add(browser, buildAddition(melody.id));
  expect(await logOf(browser)).toMatchObject([{ title: 'Another Name' }]);
  await app.services.melodies.remove(melody.id);
  await add(browser, buildAddition(melody.id));
  expect(await logOf(browser)).toMatchObject([{ melodyId: null, title: 'Another Name', times: 3 }]);
});

test('a student can edit and delete the log', async () => {
  const { browser } = await studentWith('Open to All');
  const { id: melodyId } = await app.make.melody();
  await add(browser, buildAddition(melodyId));
  const [{ id }] = (await logOf(browser)) as [PractisedMelody];
  const day = `${LOG}/${id}/days/${TODAY}`;

  expect((await browser.put(`${LOG}/${id}`, { target: 100_000, sungBefore: 12_000 })).status).toBe(200);
  expect(await logOf(browser)).toMatchObject([{ target: 100_000, sungBefore: 12_000 }]);
  for (const wrong of [{ target: 0, sungBefore: 0 }, { target: 1, sungBefore: -1 }, { target: '108' }])
    expect((await browser.put(`${LOG}/${id}`, wrong)).status).toBe(400);

  const seen = { seconds: 90, times: 1 };
  const right = { seconds: 600, times: 7, seen };
  await add(browser, buildAddition(melodyId));
  expect((await browser.put(day, right)).status, 'another device has added practice since').toBe(409);
  expect(await daysOf(browser, id)).toEqual([{ day: TODAY, seconds: 180, times: 2 }]);
  const corrected = await browser.put(day, { ...right, seen: { seconds: 180, times: 2 } });
  expect(corrected.body).toEqual({ day: TODAY, seconds: 600, times: 7 });
  expect((await browser.put(day, right)).status, 'repeating the correction succeeds').toBe(200);
  expect(await daysOf(browser, id)).toEqual([{ day: TODAY, seconds: 600, times: 7 }]);

  const none = { seconds: 0, times: 0 };
  const earlier = `${LOG}/${id}/days/${dayIn(-1000)}`;
  expect((await browser.put(earlier, { seconds: 0, times: 108, seen: none })).status).toBe(200);
  expect((await browser.put(`${LOG}/${id}/days/${dayIn(2)}`, { ...right, seen: none })).status).toBe(400);
  expect((await browser.put(`${LOG}/${id}/days/0000-01-01`, { ...right, seen: none })).status).toBe(404);
  expect((await browser.get(`${LOG}/${id}/days?after=["0000-01-01"]`)).status).toBe(400);
  expect((await browser.put(earlier, { ...none, seen: { seconds: 0, times: 108 } })).status).toBe(200);
  expect(await daysOf(browser, id), 'a day set to zero is deleted').toHaveLength(1);

  await browser.put(LOG, { keepsPracticeLog: false });
  await add(browser, buildAddition(melodyId));
  expect(await logOf(browser), 'existing practice stays').toMatchObject([{ times: 7 }]);
  expect((await browser.delete(LOG)).status).toBe(200);
  expect(await logOf(browser)).toEqual([]);
});

test('only the student can export the log', async () => {
  const { student, browser } = await studentWith('Open to All');
  const teacher = await app.as(await app.make.teacher());
  const empty = await unzip((await browser.get(`/api/users/${student.id}/export`)).bytes);
  expect([...empty.keys()]).not.toContain('practice.csv');
  const [plain, formula] = [
    await app.make.melody({ title: 'Prayer' }),
    await app.make.melody({ title: '=1+1' }),
  ];
  await add(browser, buildAddition(plain.id), buildAddition(formula.id, { day: dayIn(-1), seconds: 45 }));
  const [{ id }] = (await logOf(browser)) as [PractisedMelody];
  await browser.put(`${LOG}/${id}`, { target: null, sungBefore: 5 });

  const reply = await browser.get(`${LOG}/export`);
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(reply.headers.get('content-disposition')).toMatch(/practice.*\.csv/);
  const table = reply.bytes.toString('utf8');
  expect(table).toBe(
    [
      '\ufeff"Day","Melody","Minutes","Times sung"',
      `"${TODAY}","Prayer","1.5","1"`,
      `"${dayIn(-1)}","'=1+1","0.8","1"`,
      '"","Prayer","","5"',
      '',
    ].join('\r\n'),
  );
  const own = await unzip((await browser.get(`/api/users/${student.id}/export`)).bytes);
  expect(own.get('practice.csv')?.bytes.toString('utf8')).toBe(table);
  const hers = await unzip((await teacher.get(`/api/users/${student.id}/export`)).bytes);
  expect([...hers.keys()]).not.toContain('practice.csv');
  const { status } = await browser.get(`${LOG}/export`, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(status).toBe(403);
});
