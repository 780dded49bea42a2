import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { favourites, todaysMelodies } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { MAX_FAVOURITES, MAX_TODAYS_MELODIES } from './limits.ts';

const app = await startTestApp();

async function studentWith(...levels: string[]) {
  const student = await app.make.student({ levels });
  return { student, browser: await app.as(student) };
}
type Browser = Awaited<ReturnType<typeof studentWith>>['browser'];

const idsOf = (rows: unknown) => (rows as { melodyId: number }[]).map(({ melodyId }) => melodyId);
const today = async (client: Browser) => idsOf((await client.get('/api/user/today')).body);
const favouritesOf = async (client: Browser) => idsOf((await client.get('/api/user/favourites')).body);

test('favourites and today’s list are ordered, and separate for each student', async () => {
  const { browser: client } = await studentWith('Open to All');
  const { browser: other } = await studentWith('Open to All');
  const [a, b, c] = [await app.make.melody(), await app.make.melody(), await app.make.melody()];
  for (const { id } of [a, b, c]) {
    expect((await client.put(`/api/user/today/${id}`, { times: 1 })).status).toBe(200);
    expect((await client.put(`/api/user/favourites/${id}`)).status).toBe(200);
  }
  expect(await favouritesOf(client)).toEqual([c.id, b.id, a.id]);
  expect((await client.get('/api/user/today')).body[0]).toEqual({
    ...{ melodyId: a.id, title: a.title, thumbnailUrl: a.thumbnailUrl, duration: a.duration, times: 1 },
  });
  await client.put(`/api/user/today/${b.id}`, { times: 108 });
  await client.put('/api/user/today', { melodyIds: [c.id, b.id] });
  expect(await today(client), 'melodies that are not named follow').toEqual([c.id, b.id, a.id]);
  expect((await client.get('/api/user/today')).body[1].times).toBe(108);
  await client.delete(`/api/user/today/${b.id}`);
  await client.delete(`/api/user/favourites/${b.id}`);
  expect(await today(client)).toEqual([c.id, a.id]);
  expect(await favouritesOf(client)).toEqual([c.id, a.id]);

  expect(await today(other)).toEqual([]);
  await other.delete(`/api/user/today/${c.id}`);
  await other.delete(`/api/user/favourites/${c.id}`);
  await other.put('/api/user/today', { melodyIds: [a.id, c.id] });
  expect(await today(client), 'another student cannot change it').toEqual([c.id, a.id]);
  expect(await favouritesOf(client)).toEqual([c.id, a.id]);
});

test('favourites and today’s list hide a melody while its level is revoked', async () => {
  const { student, browser: client } = await studentWith('Open to All');
  const level = await app.make.grant(student, 'Refuge');
  const teacher = await app.make.teacher();
  const [open, refuge] = [await app.make.melody(), await app.make.melody({ level: 'Refuge' })];
  for (const { id } of [refuge, open]) {
    await client.put(`/api/user/today/${id}`, { times: 2 });
    await client.put(`/api/user/favourites/${id}`);
  }
  await app.services.users.revoke(student.id, level.id, teacher);
  expect(await today(client)).toEqual([open.id]);
  expect(await favouritesOf(client)).toEqual([open.id]);
  for (const address of [`/api/user/today/${refuge.id}`, `/api/user/favourites/${refuge.id}`])
    expect((await client.put(address, { times: 1 })).status, address).toBe(404);
  await app.services.users.grant(student.id, level.id, teacher);
  expect(await today(client)).toEqual([refuge.id, open.id]);
  expect(await favouritesOf(client)).toEqual([open.id, refuge.id]);
});

test('concurrent additions do not exceed the limits on favourites and today’s list', async () => {
  const { student, browser: client } = await studentWith('Open to All');
  const ids: number[] = [];
  for (let count = 0; count < 4; count += 1) ids.push((await app.make.melody()).id);
  const { rows } = await app.db.execute<{ id: number }>(
    `insert into melodies (title, transmission_level_id, created_by)
     select 'Copy', transmission_level_id, created_by from melodies, generate_series(1, ${MAX_FAVOURITES - 2})
     where id = ${ids[0]} returning id`,
  );
  const copies = rows.map(({ id }) => id);
  await app.db.insert(favourites).values(copies.map((melodyId) => ({ userId: student.id, melodyId })));
  await app.db
    .insert(todaysMelodies)
    .values(
      copies
        .slice(0, MAX_TODAYS_MELODIES - 2)
        .map((melodyId, place) => ({ userId: student.id, melodyId, place, times: 1 })),
    );
  const added = async (put: (id: number) => Promise<{ status: number }>) =>
    (await Promise.all(ids.map(put))).map(({ status }) => status).sort();
  expect(await added((id) => client.put(`/api/user/favourites/${id}`))).toEqual([200, 200, 409, 409]);
  expect(await added((id) => client.put(`/api/user/today/${id}`, { times: 1 }))).toEqual([
    200, 200, 409, 409,
  ]);
  expect(await favouritesOf(client)).toHaveLength(MAX_FAVOURITES);
  expect(await today(client)).toHaveLength(MAX_TODAYS_MELODIES);
  expect((await client.put(`/api/user/today/${copies[0]}`, { times: 7 })).status).toBe(200);
});

test('rejects an unknown melody, an invalid number of times and an invalid order', async () => {
  const { browser: client } = await studentWith('Open to All');
  const { id } = await app.make.melody();
  for (const times of [0, 109, 1.5, '3', null])
    expect((await client.put(`/api/user/today/${id}`, { times })).status, String(times)).toBe(400);
  for (const unknown of ['999999', 'x', '0'])
    expect([400, 404]).toContain((await client.put(`/api/user/favourites/${unknown}`)).status);
  for (const melodyIds of ['x', ['x'], Array.from({ length: MAX_TODAYS_MELODIES + 1 }, () => id)])
    expect((await client.put('/api/user/today', { melodyIds })).status).toBe(400);
  expect(await today(client)).toEqual([]);
});

test('deleting a student or melody deletes its rows in favourites and today’s list', async () => {
  const { student, browser: client } = await studentWith('Open to All');
  const [kept, gone] = [await app.make.melody(), await app.make.melody()];
  for (const { id } of [kept, gone]) {
    await client.put(`/api/user/today/${id}`, { times: 1 });
    await client.put(`/api/user/favourites/${id}`);
  }
  const teacher = await app.as(await app.make.teacher());
  expect((await teacher.delete(`/api/melodies/${gone.id}`)).status).toBe(200);
  expect(await today(client)).toEqual([kept.id]);
  expect(await favouritesOf(client)).toEqual([kept.id]);
  expect((await teacher.delete(`/api/admin/users/${student.id}`)).status).toBe(200);
  expect(await app.db.$count(favourites, eq(favourites.userId, student.id))).toBe(0);
  expect(await app.db.$count(todaysMelodies, eq(todaysMelodies.userId, student.id))).toBe(0);
});

test('reports new feedback and waiting recordings only to the student concerned', async () => {
  const { student, browser: client } = await studentWith('Open to All');
  const { browser: other } = await studentWith('Open to All');
  const nothing = { newest: null };
  expect((await client.get('/api/feedback/newest-unread')).body).toEqual(nothing);
  await app.make.feedback({ student });
  const { recording } = await app.make.feedback({ student });
  await app.make.recording({ student, title: 'First' });
  await app.make.recording({ student, title: 'Second' });
  const { newest } = (await client.get('/api/feedback/newest-unread')).body;
  expect(newest).toEqual({
    ...{ recordingId: recording.id, title: recording.title, marks: 0, createdAt: expect.any(String) },
  });
  expect((await client.get('/api/student/recordings/waiting')).body).toEqual({ count: 2, title: 'Second' });
  expect((await other.get('/api/feedback/newest-unread')).body).toEqual(nothing);
  expect((await other.get('/api/student/recordings/waiting')).body).toEqual({ count: 0, title: null });
});
