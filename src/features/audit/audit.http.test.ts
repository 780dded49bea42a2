import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { passkeys, users } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import {
  createAdmin,
  removePasskeysByEmail,
  resetAdminPassword,
} from '#features/people/users/server/admins.ts';

const app = await startTestApp();
const admin = await app.make.teacher({ firstName: 'Khandro', lastName: 'Lhamo' });
const teacher = await app.as(admin);

test('audit log pages contain fifty entries, newest first, and link to the next page', async () => {
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

test('audit log entries keep the names that people had at the time of the action', async () => {
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

test('the audit log does not record failed actions', async () => {
  const before = await app.count('audit_log');
  await teacher.delete(`/api/admin/users/${admin.id}`);
  await teacher.put(`/api/admin/users/${admin.id}/status`, { isActive: false });
  await teacher.delete('/api/admin/transmission-levels/999999');
  await teacher.delete(`/api/admin/users/${crypto.randomUUID()}/transmission-access/1`);
  expect(await app.count('audit_log')).toBe(before);
});

describe('commands on the server’s command line', () => {
  const AT_CONSOLE = "Someone at the server's console";
  const latest = async () => {
    const [entry] = (await teacher.get('/api/admin/audit-log')).body;
    return [entry.actorName, entry.action, entry.subjectName];
  };

  test('creating a teacher on the command line is recorded', async () => {
    await createAdmin(app.db, 'pema@example.org');
    expect(await latest()).toEqual([AT_CONSOLE, 'teacher-created', 'pema']);
  });

  test('issuing a teacher’s password on the command line is recorded', async () => {
    const other = await app.make.teacher({ firstName: 'Ani', lastName: 'Pema' });
    await resetAdminPassword(app.db, other.email, app.settings, () => false);
    expect(await latest()).toEqual([AT_CONSOLE, 'password-issued', 'Ani Pema']);
  });

  test('removing passkeys on the command line is recorded', async () => {
    const student = await app.make.student({ firstName: 'Dawa', lastName: 'Norbu' });
    const passkey = { credentialId: 'x', publicKey: 'y', counter: 0, name: 'My phone' };
    await app.db.insert(passkeys).values({ userId: student.id, ...passkey });
    await removePasskeysByEmail(app.db, student.email, app.settings);
    expect(await latest()).toEqual([AT_CONSOLE, 'passkey-removed', 'Dawa Norbu']);
  });

  test('the audit log does not record a command that changes nothing', async () => {
    const before = await app.count('audit_log');
    await expect(createAdmin(app.db, admin.email)).rejects.toThrow(/already exists/);
    expect(await removePasskeysByEmail(app.db, admin.email, app.settings)).toBe(0);
    expect(await app.count('audit_log')).toBe(before);
  });
});
