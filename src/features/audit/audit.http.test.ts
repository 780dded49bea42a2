import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '../../db/schema.ts';
import { startTestApp } from '../../testing/app.ts';

const app = await startTestApp();
const admin = await app.make.teacher({ firstName: 'Khandro', lastName: 'Lhamo' });
const teacher = await app.as(admin);

test('the audit log is read newest first, fifty at a time, following its link to the end', async () => {
  const { audit } = app.services;
  for (let index = 0; index < 120; index += 1) {
    await audit.record(app.db, admin, 'level-added', `Level ${index}`);
  }
  const subjects: string[] = [];
  const sizes: number[] = [];
  let path: string | undefined = '/api/admin/audit-log';
  while (path) {
    const page = await teacher.get(path);
    sizes.push(page.body.length);
    subjects.push(...(page.body as { subjectName: string }[]).map((entry) => entry.subjectName));
    path = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(sizes).toEqual([50, 50, 20]);
  expect(subjects).toEqual(Array.from({ length: 120 }, (_, index) => `Level ${119 - index}`));
  expect((await teacher.get('/api/admin/audit-log?before=x')).status).toBe(400);
  expect((await teacher.get('/api/admin/audit-log?before=1')).body).toEqual([]);
});

test('names stay as they were at the time', async () => {
  const student = await app.make.student({ firstName: 'Tashi', lastName: 'Dolma' });
  await teacher.put(`/api/admin/users/${student.id}/status`, { isActive: false });
  await app.db.update(users).set({ firstName: 'Another' }).where(eq(users.id, admin.id));
  await teacher.delete(`/api/admin/users/${student.id}`);
  const [deleted, disabled] = (await teacher.get('/api/admin/audit-log')).body;
  expect(deleted).toMatchObject({ actorName: 'Another Lhamo', subjectName: 'Tashi Dolma' });
  expect(disabled).toEqual({
    id: expect.any(Number),
    at: expect.stringMatching(/Z$/),
    actorName: 'Khandro Lhamo',
    action: 'user-disabled',
    subjectName: 'Tashi Dolma',
    detail: null,
    count: 1,
  });
});

test('failed actions are not logged', async () => {
  const before = await app.count('audit_log');
  await teacher.delete(`/api/admin/users/${admin.id}`);
  await teacher.put(`/api/admin/users/${admin.id}/status`, { isActive: false });
  await teacher.delete('/api/admin/transmission-levels/999999');
  await teacher.delete(`/api/admin/users/${crypto.randomUUID()}/transmission-access/1`);
  expect(await app.count('audit_log')).toBe(before);
});
