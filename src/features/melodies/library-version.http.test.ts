import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { melodies, transmissionLevels } from '#server/db/schema.ts';
import { TEST_SESSION_DETAILS, startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());
const [open, wang] = [await app.make.level('Open to All'), await app.make.level('Wang')];
const tashi = await app.make.student({ levels: ['Open to All'] });
const pema = await app.make.student({ levels: ['Open to All'] });
const student = await app.as(tashi);

const add = async (title: string, level: { id: number }) =>
  (await teacher.form('/api/melodies', { title, transmissionLevelId: level.id })).body.id as number;
const list = (client: TestClient, etag = '', query = '') =>
  client.get(`/api/melodies${query}`, { headers: etag ? { 'if-none-match': etag } : {} });
const titles = (reply: { body: { title: string }[] }) => reply.body.map(({ title }) => title);
const etagOf = async (client: TestClient, query = '') => (await list(client, '', query)).headers.get('etag')!;

let mani = 0;
beforeAll(async () => {
  mani = await add('Mani', open);
  await add('Vajra Song', wang);
});

test('a request for an unchanged library or melody returns 304 without a body', async () => {
  const etag = await etagOf(student);
  const again = await list(student, `"other", ${etag}`);
  expect([again.status, again.bytes.length, again.headers.get('etag')]).toEqual([304, 0, etag]);
  expect((await list(student, '*')).status).toBe(200);
  const one = await student.get(`/api/melodies/${mani}`);
  const headers = { 'if-none-match': one.headers.get('etag')! };
  expect((await student.get(`/api/melodies/${mani}`, { headers })).status).toBe(304);
});

test('users who may hear the same levels share a library version', async () => {
  const etag = await etagOf(student);
  expect(await etagOf(await app.as(pema))).toBe(etag);
  expect(await etagOf(teacher)).not.toBe(etag);
  expect(titles(await list(teacher, etag))).toEqual(['Vajra Song', 'Mani']);
  expect(await etagOf(teacher, `?transmissionLevelId=${open.id}`)).toBe(etag);
  expect(await etagOf(teacher, `?transmissionLevelId=${wang.id}`)).not.toBe(etag);
  const ofCards = await etagOf(student, '?view=card');
  expect(ofCards).not.toBe(etag);
  expect((await list(student, ofCards, '?view=card')).status).toBe(304);
});

test('If-None-Match does not bypass the checks of session, role and level', async () => {
  const headers = { 'if-none-match': (await teacher.get(`/api/melodies/${mani}`)).headers.get('etag')! };
  expect((await app.visitor().get('/api/melodies', { headers })).status).toBe(401);
  const deaf = await app.as(await app.make.student({ levels: [] }));
  expect((await deaf.get(`/api/melodies/${mani}`, { headers })).status).toBe(404);
  expect((await list(deaf, await etagOf(teacher))).body).toEqual([]);
  expect((await student.get('/api/admin/users', { headers })).status).toBe(403);
});

test('returns an empty list for a level that is unknown or not granted', async () => {
  for (const id of [wang.id, 999_999])
    expect((await list(student, '', `?transmissionLevelId=${id}`)).body).toEqual([]);
  expect(titles(await list(teacher, '', `?transmissionLevelId=${wang.id}`))).toEqual(['Vajra Song']);
});

test('granting or revoking a level takes effect at the next request', async () => {
  const before = await etagOf(student);
  const path = `/api/admin/users/${tashi.id}/transmission-access`;
  await teacher.post(path, { transmissionLevelId: wang.id });
  expect(titles(await list(student, before))).toEqual(['Vajra Song', 'Mani']);
  const meanwhile = await etagOf(student);
  await teacher.delete(`${path}/${wang.id}`);
  expect(titles(await list(student, meanwhile))).toEqual(['Mani']);
  expect(await etagOf(student)).toBe(before);
});

const changes: [string, () => Promise<unknown>][] = [
  ['a melody is added', () => add('Seven Lines', open)],
  [
    'a melody is changed',
    () => teacher.form(`/api/melodies/${mani}`, { title: 'Om Mani' }, { method: 'PUT' }),
  ],
  [
    'a level is renamed',
    () => teacher.put(`/api/admin/transmission-levels/${open.id}`, { name: 'Open to Everyone' }),
  ],
  ['a melody is deleted', async () => teacher.delete(`/api/melodies/${(await list(teacher)).body.at(0).id}`)],
  [
    'a row is changed by hand in the database',
    () => app.db.update(melodies).set({ description: 'by hand' }).where(eq(melodies.id, mani)),
  ],
  [
    'a level is changed by hand in the database',
    () =>
      app.db
        .update(transmissionLevels)
        .set({ name: 'Open to All' })
        .where(eq(transmissionLevels.id, open.id)),
  ],
];
test.each(changes)('the library version and the list change after %s', async (_, change) => {
  const before = await list(student);
  await change();
  const after = await list(student, before.headers.get('etag')!);
  expect(after.status).toBe(200);
  expect(after.body).not.toEqual(before.body);
});

test('a rolled-back change does not change the library version', async () => {
  const before = await etagOf(student);
  const changed = app.db.transaction(async (tx) => {
    await tx.update(melodies).set({ title: 'never' });
    throw new Error('rolled back');
  });
  await expect(changed).rejects.toThrow('rolled back');
  expect((await list(student, before)).status).toBe(304);
});

test('an uncommitted change is not visible in the list of melodies', async () => {
  const before = await list(student);
  await app.db.transaction(async (tx) => {
    await tx.update(melodies).set({ description: 'under way' });
    expect((await list(student, before.headers.get('etag')!)).status).toBe(304);
    expect((await list(await app.as(pema))).body).toEqual(before.body);
  });
  const after = await list(student, before.headers.get('etag')!);
  expect(after.body[0].description).toBe('under way');
});

test('a list matches its version even if a level is granted before the query runs', async () => {
  const session = await app.services.sessions.start(pema.id, TEST_SESSION_DETAILS, new Date());
  const { caller } = (await app.services.sessions.find(session, new Date()))!;
  const asked = app.services.melodies.listShared(caller, 'full');
  await teacher.post(`/api/admin/users/${pema.id}/transmission-access`, { transmissionLevelId: wang.id });
  expect(await asked.make()).not.toContainEqual(expect.objectContaining({ title: 'Vajra Song' }));
  expect(titles(await list(await app.as(pema)))).toContain('Vajra Song');
});

test('a search finds only melodies the caller may hear, and returns 304 if unchanged', async () => {
  const found = await list(student, '', '?q=mani');
  expect(titles(found)).toEqual(['Om Mani']);
  const etag = found.headers.get('etag')!;
  expect((await list(student, etag, '?q=mani')).status).toBe(304);
  expect(titles(await list(teacher, '', '?q=vajra'))).toEqual(['Vajra Song']);
  expect((await list(student, '', '?q=vajra')).body).toEqual([]);
});

test('the library is compressed with an encoding that the client accepts', async () => {
  await add('Long '.repeat(40), open);
  await teacher.form('/api/melodies', {
    title: 'With text',
    transmissionLevelId: open.id,
    melodyText: 'om mani padme hum '.repeat(200),
  });
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['zstd', null],
  ] as const) {
    const headers = { 'accept-encoding': accepted };
    for (const path of ['/api/melodies', '/api/melodies?q=with']) {
      const reply = await teacher.get(path, { headers });
      expect(reply.headers.get('content-encoding'), `${path} ${accepted}`).toBe(encoding);
      expect(titles(reply)).toContain('With text');
    }
  }
});

test('the table with the library version can’t contain a second row', async () => {
  await expect(app.db.execute(sql`insert into library default values`)).rejects.toThrow();
  expect(await app.count('library')).toBe(1);
});
