import { expect, test } from 'vitest';
import { allEndpoints } from './api.ts';
import { isList } from './platform/contract/endpoint.ts';
import { startTestApp } from './testing/app.ts';
import { countWaiting } from './testing/waiting.ts';

const app = await startTestApp();
const student = await app.make.student({ levels: ['Open to All'] });
const recording = await app.make.recording({ student });
const browsers = {
  student: await app.as(student),
  admin: await app.as(await app.make.teacher()),
};

const lists = allEndpoints.filter(isList);

// A queued list uses one connection; with two, lists could take the whole pool.
test.each(lists)('$path has one connection at a time', async ({ path, access, query }) => {
  const { pool } = app.database;
  let wanted = 0;
  let most = 0;
  // Counted from the request for one: the second may be granted only once the first is free again.
  const connect = pool.connect.bind(pool);
  pool.connect = ((callback: Parameters<typeof connect>[0]) => {
    most = Math.max(most, (wanted += 1));
    return connect(callback);
  }) as typeof connect;
  const release = () => (wanted -= 1);
  pool.on('release', release);
  const id = path.startsWith('/api/admin/users') ? student.id : String(recording.id);
  const browser = browsers[access === 'student' ? 'student' : 'admin'];
  for (const search of query && 'q' in query.shape ? ['', '?q=a'] : ['']) {
    const reply = await browser.get(path.replace('{id}', id) + search);
    expect(reply.status).toBe(200);
  }
  expect(most).toBe(1);
  pool.off('release', release);
  pool.connect = connect;
});

test('lists are recognized by their responses', () => {
  const paths = lists.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['/api/melodies', '/api/admin/users', '/api/admin/feedback']));
  expect(paths).not.toContain('/api/user');
});

test('of many concurrent lists of one user two run at a time, and others get theirs', async () => {
  const other = await app.as(await app.make.student({ levels: ['Open to All'] }));
  const holder = await app.database.pool.connect();
  await holder.query('begin; lock table melodies in access exclusive mode');
  const requests = Array.from({ length: 6 }, () => browsers.student.get('/api/melodies'));
  try {
    await expect.poll(() => countWaiting(app.db)).toBe(2);
    requests.push(other.get('/api/melodies'));
    await expect.poll(() => countWaiting(app.db)).toBe(3);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array<number>(7).fill(200));
});
