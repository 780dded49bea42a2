import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const PATH = '/api/admin/transmission-levels';
const unique = () => `Level ${crypto.randomUUID().slice(0, 8)}`;
const add = (body: object) => teacher.post(PATH, body);
const change = (id: number, body: object) => teacher.put(`${PATH}/${id}`, body);
const remove = (id: number) => teacher.delete(`${PATH}/${id}`);
const names = async () => ((await teacher.get(PATH)).body as { name: string }[]).map((level) => level.name);
const lastEntry = async () => (await teacher.get('/api/admin/audit-log')).body[0] as unknown;

test('a new level is not granted to any student', async () => {
  const reply = await add({ name: '  Great Perfection  ', description: ' For few. ', id: 7 });
  expect([reply.status, reply.body]).toEqual([
    201,
    {
      id: expect.any(Number),
      name: 'Great Perfection',
      description: 'For few.',
      neverKept: false,
      melodyCount: 0,
    },
  ]);
  expect(await names()).toContain('Great Perfection');
  const student = await app.as(await app.make.student());
  expect((await student.get('/api/user/transmission-levels')).body).toEqual([]);
  expect(await lastEntry()).toMatchObject({ action: 'level-added', subjectName: 'Great Perfection' });
});

test('changing a level keeps omitted fields and clears a description sent as blank', async () => {
  const { body: level } = await add({ name: unique(), description: 'Words.' });
  const renamed = unique();
  expect(await change(level.id, { name: ` ${renamed} ` })).toMatchObject({
    status: 200,
    body: { id: level.id, name: renamed, description: 'Words.', melodyCount: 0 },
  });
  expect(await lastEntry()).toMatchObject({
    action: 'level-changed',
    subjectName: level.name,
    detail: renamed,
  });
  expect((await change(level.id, { description: 'Other words.' })).body).toMatchObject({
    name: renamed,
    description: 'Other words.',
  });
  expect(await lastEntry()).toMatchObject({ action: 'level-changed', subjectName: renamed, detail: null });
  expect((await change(level.id, { description: '  ' })).body.description).toBeNull();
  const entries = await app.count('audit_log');
  expect((await change(level.id, {})).status).toBe(200);
  expect((await change(level.id, { name: renamed, description: null })).status).toBe(200);
  expect(await app.count('audit_log')).toBe(entries);
});

test('level names are unique ignoring case, even when added concurrently', async () => {
  const name = unique();
  const { body: level } = await add({ name });
  const { body: other } = await add({ name: unique() });
  expect((await add({ name: name.toUpperCase() })).status).toBe(409);
  const refused = await change(other.id, { name: name.toLowerCase() });
  expect([refused.status, refused.body.message]).toEqual([409, 'Another level has this name.']);
  expect((await change(level.id, { name: name.toUpperCase() })).status).toBe(200);

  const raced = unique();
  const replies = await Promise.all([
    add({ name: raced }),
    add({ name: raced.toUpperCase() }),
    change(other.id, { name: raced.toLowerCase() }),
  ]);
  expect(replies.filter((reply) => reply.status < 300)).toHaveLength(1);
  expect(replies.filter((reply) => reply.status === 409)).toHaveLength(2);
});

test.each([
  ['no name', {}],
  ['a blank name', { name: ' ' }],
  ['a name of 101 characters', { name: 'x'.repeat(101) }],
  ['a name with a NUL', { name: 'a\0b' }],
  ['a name that is not text', { name: 7 }],
  ['a description of 5,001 characters', { name: 'Fine', description: 'x'.repeat(5001) }],
])('rejects a new level with %s and creates nothing', async (_, body) => {
  const before = await names();
  expect((await add(body)).status).toBe(400);
  expect(await names()).toEqual(before);
});

test('accepts a level name of 100 characters', async () => {
  expect((await add({ name: 'པ'.repeat(100) })).status).toBe(201);
});

test('a level can be deleted, with all access to it, only if no melody uses it', async () => {
  const level = await app.make.level(unique());
  const melody = await app.make.melody({ level: level.name });
  const student = await app.make.student({ levels: [level.name] });
  const client = await app.as(student);
  const listed = (await teacher.get(PATH)).body as { id: number; melodyCount: number }[];
  expect(listed.find((one) => one.id === level.id)?.melodyCount).toBe(1);
  const refused = await remove(level.id);
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/melody still uses/)]);
  expect((await client.get('/api/user/transmission-levels')).body).toHaveLength(1);

  const free = await app.make.level(unique());
  await app.make.grant(student, free.name);
  expect((await client.get('/api/user/transmission-levels')).body).toHaveLength(2);
  expect((await remove(free.id)).status).toBe(200);
  expect((await client.get('/api/user/transmission-levels')).body).toHaveLength(1);
  expect(await lastEntry()).toMatchObject({ action: 'level-deleted', subjectName: free.name });
  expect((await client.get(`/api/melodies/${melody.id}`)).status).toBe(200);
});

test('changing or deleting an unknown level returns 404', async () => {
  expect((await remove(999_999)).status).toBe(404);
  expect((await remove(999_999_999_999)).status).toBe(404);
  expect((await change(999_999, { name: 'Nothing' })).status).toBe(404);
});

test('if a level is deleted while a melody is being added to it, only one succeeds', async () => {
  for (let round = 0; round < 8; round += 1) {
    const level = await app.make.level(unique());
    const [added, deleted] = await Promise.all([
      teacher.form('/api/melodies', { title: 'At once', transmissionLevelId: level.id, melodyText: 'OM' }),
      remove(level.id),
    ]);
    expect([
      [201, 409],
      [404, 200],
    ]).toContainEqual([added.status, deleted.status]);
  }
});

test('granting a level while it is being deleted never causes a server error', async () => {
  for (let round = 0; round < 5; round += 1) {
    const level = await app.make.level(unique());
    const student = await app.make.student();
    const invite = {
      email: `${crypto.randomUUID().slice(0, 8)}@example.org`,
      firstName: 'Tashi',
      lastName: 'Dolma',
      transmissionLevels: [level.id],
    };
    const [deleted, granted, invited, created] = await Promise.all([
      remove(level.id),
      teacher.post(`/api/admin/users/${student.id}/transmission-access`, { transmissionLevelId: level.id }),
      teacher.post('/api/admin/invite-users', { invites: [invite] }),
      teacher.post('/api/admin/create-user-with-credentials', {
        ...invite,
        email: `${crypto.randomUUID().slice(0, 8)}@example.org`,
      }),
    ]);
    expect(deleted.status).toBe(200);
    expect([201, 400]).toContain(granted.status);
    expect(invited.status).toBe(200);
    expect([201, 400]).toContain(created.status);
  }
});
