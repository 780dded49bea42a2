import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { registrationRequests } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { parseMailedCredentials, listMailsTo } from '#testing/mails.ts';

const app = await startTestApp({
  environment: { PUBLIC_URL: 'http://songs.example.org', TEACHER_TITLE: 'Lama <Tenzin>' },
});
const admin = await app.make.teacher({ firstName: 'Khandro', lastName: 'Lhamo' });
const teacher = await app.as(admin);
const open = await app.make.level('Open to All');
const refuge = await app.make.level('Refuge');

const approve = (requestId: unknown, transmissionLevels?: unknown) =>
  teacher.post('/api/admin/approve-user', {
    requestId,
    ...(transmissionLevels !== undefined && { transmissionLevels }),
  });
const list = async () =>
  (await teacher.get('/api/admin/registration-requests')).body as { id: number; status: string }[];
const findStoredRequest = async (id: number) =>
  (await app.db.select().from(registrationRequests).where(eq(registrationRequests.id, id)))[0];
const entries = async () =>
  (await teacher.get('/api/admin/audit-log')).body as { action: string; subjectName: string }[];
const everything = () => Promise.all(['users', 'mails', 'audit_log'].map((table) => app.count(table)));

test('an approved visitor signs in with the emailed credentials and gets the levels', async () => {
  const request = await app.make.request({ fullName: 'Ani  Pema Lhamo', email: 'ani.pema@example.org' });
  const reply = await approve(request.id, [refuge.id, String(open.id), open.id]);
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    message: expect.stringMatching(/^User approved/),
    user: {
      username: 'ani.pema',
      email: 'ani.pema@example.org',
      firstName: 'Ani Pema',
      lastName: 'Lhamo',
      role: 'student',
    },
  });
  expect(JSON.stringify(reply.body)).not.toMatch(/argon2|"password"/);

  const mails = await listMailsTo(app.db, 'ani.pema@example.org');
  expect(mails).toMatchObject([
    { kind: 'credentials', status: 'queued', userId: reply.body.user.id, subject: expect.any(String) },
  ]);
  expect(mails[0]!.text).toContain('Dear Ani Pema,');
  expect(mails[0]!.text).toContain('http://songs.example.org/\n');
  expect(mails[0]!.text).toContain('Lama <Tenzin>');
  expect(mails[0]!.html).not.toContain('Lama <Tenzin>');

  const client = app.visitor();
  const { username, password } = parseMailedCredentials(mails[0]!);
  expect((await client.post('/api/login', { username, password })).status).toBe(200);
  expect((await client.get('/api/user')).body.suggestOwnPassword).toBe(true);
  const levels = await client.get('/api/user/transmission-levels');
  expect(levels.body.map((level: { name: string }) => level.name)).toEqual(['Open to All', 'Refuge']);

  expect(await findStoredRequest(request.id)).toMatchObject({
    status: 'approved',
    processedAt: expect.any(Date),
    processedBy: admin.id,
  });
  expect((await entries())[0]).toMatchObject({
    actorName: 'Khandro Lhamo',
    action: 'request-approved',
    subjectName: 'Ani  Pema Lhamo',
    detail: 'Open to All, Refuge',
  });
});

test('approves somebody with a single name and without levels', async () => {
  const request = await app.make.request({ fullName: 'Jampa', email: 'jampa@example.org' });
  const { body, status } = await approve(String(request.id));
  expect([status, body.user.firstName, body.user.lastName]).toEqual([200, 'Jampa', null]);
  expect((await teacher.get(`/api/admin/users/${body.user.id}/transmission-access`)).body).toEqual([]);
  expect((await listMailsTo(app.db, 'jampa@example.org'))[0]!.text).toContain('Dear Jampa,');
});

test('approving in several tabs concurrently creates one account and sends one email', async () => {
  for (let round = 0; round < 5; round += 1) {
    const request = await app.make.request();
    const [users, mails, audit] = await everything();
    const replies = await Promise.all([1, 2, 3].map(() => approve(request.id, [open.id])));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409]);
    const refused = replies.find((reply) => reply.status === 409)!;
    expect(refused.body.message).toMatch(/already/);
    expect(await everything()).toEqual([users! + 1, mails! + 1, audit! + 1]);
  }
});

test('concurrent approvals of emails that share a local part create unique usernames', async () => {
  const requests = [];
  for (const domain of ['a', 'b', 'c', 'd'])
    requests.push(await app.make.request({ email: `dawa@${domain}.org` }));
  const replies = await Promise.all(requests.map((request) => approve(request.id)));
  const usernames = replies.map((reply) => reply.body.user.username as string);
  expect(usernames.sort()).toEqual(['dawa', 'dawa2', 'dawa3', 'dawa4']);
});

test('a request whose email has an account can be deleted, but not approved', async () => {
  const request = await app.make.request({ email: 'meanwhile@example.org' });
  await teacher.post('/api/admin/create-user-with-credentials', {
    email: 'Meanwhile@example.org',
    firstName: 'Mean',
    lastName: 'While',
    transmissionLevels: [open.id],
  });
  const before = await everything();
  const reply = await approve(request.id, [open.id]);
  expect(reply.status).toBe(409);
  expect(reply.body.message).toMatch(/already has an account.*delete the request/);
  expect(await everything()).toEqual(before);
  expect(await findStoredRequest(request.id)).toMatchObject({ status: 'pending', processedAt: null });
  expect((await teacher.delete(`/api/admin/registration-requests/${request.id}`)).status).toBe(200);
});

test('approving and inviting the same email address concurrently creates one account', async () => {
  for (let round = 0; round < 5; round += 1) {
    const request = await app.make.request();
    const [users, mails] = await everything();
    const [approved, invited] = await Promise.all([
      approve(request.id, [open.id]),
      teacher.post('/api/admin/invite-users', {
        invites: [{ email: request.email, firstName: 'A', lastName: 'B', transmissionLevels: [open.id] }],
      }),
    ]);
    expect(Number(approved.status === 200) + invited.body.successCount).toBe(1);
    expect([200, 409]).toContain(approved.status);
    expect((await everything()).slice(0, 2)).toEqual([users! + 1, mails! + 1]);
  }
});

test('approving a request while it is being deleted creates an account or returns 404', async () => {
  for (let round = 0; round < 5; round += 1) {
    const request = await app.make.request();
    const [users, mails] = await everything();
    const [approved, deleted] = await Promise.all([
      approve(request.id),
      teacher.delete(`/api/admin/registration-requests/${request.id}`),
    ]);
    expect(deleted.status).toBe(200);
    expect([200, 404]).toContain(approved.status);
    const made = approved.status === 200 ? 1 : 0;
    expect((await everything()).slice(0, 2)).toEqual([users! + made, mails! + made]);
  }
});

test.each([
  ['an unknown level', [999_999], 400],
  ['an unknown level beside a known one', [1, 999_999], 400],
  ['a level that is not a number', ['first'], 400],
  ['levels that are not a list', 'all', 400],
])('rejects approval with %s and keeps the request pending', async (_, levels, status) => {
  const request = await app.make.request();
  const before = await everything();
  expect((await approve(request.id, levels)).status).toBe(status);
  expect(await everything()).toEqual(before);
  expect(await findStoredRequest(request.id)).toMatchObject({ status: 'pending' });
});

test('returns 404 for unknown requests, and 400 if the id to approve is invalid', async () => {
  expect((await approve(999_999)).status).toBe(404);
  expect((await approve('first')).status).toBe(400);
  expect((await approve(undefined)).status).toBe(400);
  expect((await teacher.delete('/api/admin/registration-requests/999999')).status).toBe(404);
  expect((await teacher.delete('/api/admin/registration-requests/x')).status).toBe(404);
});

test('requests are listed newest first and can be deleted in either status', async () => {
  const older = await app.make.request();
  const newer = await app.make.request({ fullName: 'Karma Yeshe' });
  await approve(older.id);
  const [first, second] = await list();
  expect(first).toEqual({
    id: newer.id,
    fullName: 'Karma Yeshe',
    email: newer.email,
    status: 'pending',
    requestedAt: expect.stringMatching(/Z$/),
    processedAt: null,
  });
  expect(second).toMatchObject({
    id: older.id,
    status: 'approved',
    processedAt: expect.stringMatching(/Z$/),
  });

  const missing = await Promise.all(
    [1, 2].map(() => teacher.delete(`/api/admin/registration-requests/${newer.id}`)),
  );
  expect(missing.map((reply) => reply.status).sort()).toEqual([200, 404]);
  expect((await teacher.delete(`/api/admin/registration-requests/${older.id}`)).status).toBe(200);
  expect((await list()).map((request) => request.id)).not.toContain(older.id);
  // The account created from the request remains.
  expect((await teacher.get(`/api/admin/users?q=${older.email}`)).body).toHaveLength(1);
  expect((await entries())[1]).toMatchObject({ action: 'request-deleted', subjectName: 'Karma Yeshe' });
});

test('pending requests and recent approvals are listed separately', async () => {
  const counted = async () =>
    ((await teacher.get('/api/admin/registration-requests/count')).body as { count: number }).count;
  const before = await counted();
  const [older, newer] = [await app.make.request(), await app.make.request()];
  expect(await counted()).toBe(before + 2);
  // Approves the newer request first, so that the order of the approvals differs from that of the requests.
  await approve(newer.id);
  await approve(older.id);
  expect(await counted()).toBe(before);
  const waiting = await app.make.request();
  const { body, headers } = await teacher.get('/api/admin/registration-requests?status=pending');
  expect(body[0].id).toBe(waiting.id);
  expect(new Set((body as { status: string }[]).map(({ status }) => status))).toEqual(new Set(['pending']));
  expect(headers.get('x-total-count')).toBe(String(before + 1));
  const recent = (await teacher.get('/api/admin/registration-requests/recent')).body as { id: number }[];
  expect(recent.slice(0, 2).map(({ id }) => id)).toEqual([older.id, newer.id]);
  expect(recent.length).toBeLessThanOrEqual(5);
  expect((await teacher.get('/api/admin/registration-requests?status=x')).status).toBe(400);
});

test('asking again does not reveal whether an earlier request was approved or deleted', async () => {
  const ask = (email: string) =>
    app.visitor().post('/api/register-request', { fullName: 'Asking Again', email });
  const approved = await app.make.request();
  await approve(approved.id);
  const refused = await app.make.request();
  await teacher.delete(`/api/admin/registration-requests/${refused.id}`);
  const replies = await Promise.all([ask(approved.email), ask(refused.email), ask('quite.new@example.org')]);
  for (const reply of replies) expect([reply.status, reply.body]).toEqual([201, replies[0].body]);
  const waiting = (await list()).filter((request) => request.status === 'pending');
  expect(waiting).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ email: refused.email }),
      expect.objectContaining({ email: 'quite.new@example.org' }),
    ]),
  );
  expect(waiting).not.toContainEqual(expect.objectContaining({ email: approved.email }));
});
