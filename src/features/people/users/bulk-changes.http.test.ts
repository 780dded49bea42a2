import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mails, users } from '#server/db/schema.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { startTestApp } from '#testing/app.ts';
import { parseMailedCredentials, listMailsTo } from '#testing/mails.ts';

const app = await startTestApp();
const khandro = await app.make.teacher({ firstName: 'Khandro', lastName: 'Lhamo' });
const teacher = await app.as(khandro);
const CHANGES = '/api/admin/users/changes';

const change = (what: string, people: { id: string }[], given: object = {}) =>
  teacher.post(CHANGES, {
    ...{ userIds: people.map(({ id }) => id), change: what, clientId: crypto.randomUUID() },
    ...given,
  });
const listAuditEntries = async () =>
  (await teacher.get('/api/admin/audit-log')).body as Record<string, unknown>[];

test('a bulk grant skips unknown users and creates one audit entry per level', async () => {
  const level = await app.make.level('Refuge');
  const other = await app.make.level('Lung (Reading Transmission)');
  const people = [await app.make.student({ levels: ['Refuge'] }), await app.make.student()];
  const gone = { id: crypto.randomUUID() };
  const given = { transmissionLevels: [level.id, other.id], clientId: crypto.randomUUID() };
  for (const _ of ['once', 'again']) {
    const reply = await change('grant', [people[0]!, gone, people[1]!], given);
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        successCount: 2,
        failureCount: 1,
        results: [
          { id: people[0]!.id, ok: true },
          { id: gone.id, ok: false, message: 'This user no longer exists' },
          { id: people[1]!.id, ok: true },
        ],
      },
    ]);
  }
  const list = await teacher.get(`/api/admin/users?level=${other.id}`);
  expect(list.body.map(({ id }: { id: string }) => id).sort()).toEqual(people.map(({ id }) => id).sort());
  expect(list.headers.get('x-total-count')).toBe('2');
  const [newest, before] = await listAuditEntries();
  expect(newest).toMatchObject({ action: 'level-granted', detail: 'Lung (Reading Transmission)', count: 2 });
  // Counts only the second student, because the first had this level already.
  expect(before).toMatchObject({ action: 'level-granted', detail: 'Refuge', count: 1 });
  const within = await teacher.get(`/api/admin/audit-log?within=${newest!['id'] as number}`);
  expect(within.body).toHaveLength(2);

  await change('revoke', people, { transmissionLevels: [level.id] });
  expect((await teacher.get(`/api/admin/users?level=${level.id}`)).body).toEqual([]);
  expect((await change('grant', people, { transmissionLevels: [999_999] })).body).toMatchObject({
    successCount: 0,
    results: [{ message: 'This level no longer exists' }, { message: 'This level no longer exists' }],
  });
});

test('bulk disabling skips the caller’s own account', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  const reply = await change('disable', [khandro, student]);
  expect(reply.body.results).toEqual([
    { id: khandro.id, ok: false, message: "You can't enable or disable your own account." },
    { id: student.id, ok: true },
  ]);
  expect((await client.get('/api/user')).status).toBe(401);
  expect((await teacher.get('/api/admin/users?only=disabled')).body).toMatchObject([{ id: student.id }]);
  await change('enable', [student]);
  expect((await teacher.get('/api/admin/users?only=disabled')).body).toEqual([]);
});

test('a repeated bulk request for new passwords sends each student one email', async () => {
  const [one, two, off] = [await app.make.student(), await app.make.student(), await app.make.student()];
  await app.make.disable(off);
  const [waiting] = await app.db
    .insert(mails)
    .values({
      ...{ kind: 'credentials', userId: one.id, recipient: one.email, subject: 'Welcome' },
      ...{ status: 'undeliverable', settledAt: new Date() },
    })
    .returning();
  const given = { clientId: crypto.randomUUID() };
  const replies = await Promise.all([
    change('mail', [one, two, off, khandro], given),
    change('mail', [one, two], given),
  ]);
  expect(replies[0].body.results).toMatchObject([
    { ok: true },
    { ok: true },
    { ok: false, message: 'This account is disabled. Enable it first.' },
    { ok: false, message: 'Teachers choose their own passwords.' },
  ]);
  expect(replies[1].body.successCount).toBe(2);
  for (const person of [one, two]) {
    const [mail, ...others] = await listMailsTo(app.db, person.email);
    expect(others).toEqual([]);
    expect(mail!.id).not.toBe(waiting!.id);
    const client = app.visitor();
    expect(
      (await client.post('/api/login', { username: person.username, password: TEST_PASSWORD })).status,
    ).toBe(401);
    expect((await client.post('/api/login', parseMailedCredentials(mail!))).status).toBe(200);
  }
  // The teacher's own password still works.
  const { username } = khandro;
  expect((await app.visitor().post('/api/login', { username, password: TEST_PASSWORD })).status).toBe(200);
});

test.each([
  ['no users', { userIds: [] }],
  ['101 users', { userIds: Array.from({ length: 101 }, () => crypto.randomUUID()) }],
  ['an unknown change', { change: 'delete' }],
  ['a missing idempotency key', { clientId: undefined }],
])('rejects a bulk change with %s', async (_, given) => {
  expect((await change('enable', [khandro], given)).status).toBe(400);
});

test('the user list can be filtered by “never signed in” and by “waiting emails”', async () => {
  const student = await app.make.student();
  const of = async (query: string) =>
    ((await teacher.get(`/api/admin/users?${query}&q=${student.username}`)).body as { id: string }[]).length;
  expect(await of('only=never-signed-in')).toBe(1);
  const before = await app.db.select().from(users).where(eq(users.id, student.id));
  await app.visitor().post('/api/login', { username: student.username, password: TEST_PASSWORD });
  expect(await of('only=never-signed-in')).toBe(0);
  const found = (await teacher.get(`/api/admin/users/${student.id}`)).body;
  expect(Date.parse(found.lastSignInAt)).toBeGreaterThan(Date.now() - 60_000);
  expect(found).toMatchObject({ waitingMails: 0, transmissionLevels: [] });
  // Signing in doesn't count as a change to the user.
  expect(found.updatedAt).toBe(before[0]!.updatedAt.toISOString());

  expect(await of('only=mail-waiting')).toBe(0);
  await app.db.insert(mails).values({
    ...{ kind: 'credentials', userId: student.id, recipient: student.email, subject: 'Welcome' },
    ...{ status: 'undeliverable', settledAt: new Date() },
  });
  expect(await of('only=mail-waiting')).toBe(1);
  expect((await teacher.get(`/api/admin/users/${student.id}`)).body.waitingMails).toBe(1);
  expect((await teacher.get('/api/admin/users?only=everybody')).status).toBe(400);
  expect((await teacher.get('/api/admin/users?level=x')).status).toBe(400);
});

test('issuing a password returns the password and ends the student’s sessions', async () => {
  const student = await app.make.student({ firstName: 'Pema', lastName: 'Wangmo' });
  const client = await app.as(student);
  const reply = await teacher.post(`/api/admin/users/${student.id}/password`);
  expect(reply.status).toBe(201);
  expect(reply.body.user.id).toBe(student.id);
  expect((await client.get('/api/user')).status).toBe(401);
  const { password } = reply.body;
  const next = app.visitor();
  expect((await next.post('/api/login', { username: student.username, password })).status).toBe(200);
  expect((await next.get('/api/user')).body.suggestOwnPassword).toBe(true);
  expect(await listMailsTo(app.db, student.email)).toEqual([]);
  expect((await listAuditEntries())[0]).toMatchObject({
    action: 'password-issued',
    subjectName: 'Pema Wangmo',
    count: 1,
  });

  expect((await teacher.post(`/api/admin/users/${khandro.id}/password`)).status).toBe(403);
  expect((await teacher.post(`/api/admin/users/${crypto.randomUUID()}/password`)).status).toBe(404);
  await app.make.disable(student);
  expect((await teacher.post(`/api/admin/users/${student.id}/password`)).status).toBe(409);
});

test('invites with the same batch id become one audit entry per teacher', async () => {
  const batch = crypto.randomUUID();
  const level = await app.make.level('Refuge');
  const other = await app.make.level('Wang (Empowerment)');
  const rows = (count: number, levels: number[]) =>
    Array.from({ length: count }, () => ({
      ...{ email: `${crypto.randomUUID().slice(0, 8)}@example.org`, firstName: 'Karma', lastName: 'Yeshe' },
      transmissionLevels: levels,
    }));
  const total = async () => Number((await teacher.get('/api/admin/audit-log')).headers.get('x-total-count'));
  const before = await total();
  await teacher.post('/api/admin/invite-users', { invites: rows(70, [level.id]), batch });
  await teacher.post('/api/admin/invite-users', { invites: rows(43, [level.id]), batch });
  const another = await app.as(await app.make.teacher({ firstName: 'Ani', lastName: 'Lhamo' }));
  await another.post('/api/admin/invite-users', { invites: rows(2, [level.id, other.id]), batch });
  const [hers, his] = await listAuditEntries();
  expect(hers).toMatchObject({ actorName: 'Ani Lhamo', count: 2, detail: 'Refuge, Wang (Empowerment)' });
  expect(his).toMatchObject({
    actorName: 'Khandro Lhamo',
    action: 'user-invited',
    count: 113,
    detail: 'Refuge',
  });
  expect(await total()).toBe(before + 2);
  const all: unknown[] = [];
  for (let path: string | undefined = `/api/admin/audit-log?within=${his!['id'] as number}`; path;) {
    const page = await teacher.get(path);
    all.push(...(page.body as unknown[]));
    path = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(all).toHaveLength(113);
  await teacher.post('/api/admin/invite-users', { invites: rows(1, [other.id]), batch });
  expect((await listAuditEntries())[0]).toMatchObject({ count: 114, detail: null });
});
