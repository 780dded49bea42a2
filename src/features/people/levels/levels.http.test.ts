import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher());

test('concurrent requests create the default levels only once', async () => {
  await app.db.execute('delete from transmission_levels');
  const replies = await Promise.all([1, 2, 3, 4, 5].map(() => teacher.post('/api/init')));
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200]);
  const levels = (await teacher.get('/api/admin/transmission-levels')).body as { name: string }[];
  expect(levels.map((level) => level.name)).toEqual([
    'Open to All',
    'Refuge',
    'Lung (Reading Transmission)',
    'Wang (Empowerment)',
    'Tri (Instruction)',
  ]);
});

test('a student sees only levels granted to them, and a teacher sees all levels', async () => {
  const student = await app.make.student({ levels: ['Refuge'] });
  const mine = await (await app.as(student)).get('/api/user/transmission-levels');
  expect(mine.body).toEqual([
    { id: expect.any(Number), name: 'Refuge', description: expect.any(String), neverKept: false },
  ]);
  expect((await teacher.get('/api/user/transmission-levels')).body).toHaveLength(5);
});
