import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { parseMailedCredentials, listMailsTo } from '#testing/mails.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher({ firstName: 'Khandro', lastName: 'Lhamo' }));
const level = await app.make.level('Refuge');

const row = (given: object = {}) => ({
  email: `${crypto.randomUUID().slice(0, 8)}@example.org`,
  firstName: 'Marianne',
  lastName: 'Weber',
  transmissionLevels: [level.id],
  ...given,
});
const invite = (...invites: unknown[]) => teacher.post('/api/admin/invite-users', { invites });
const everything = () =>
  Promise.all(['users', 'mails', 'audit_log', 'user_transmission_access'].map((table) => app.count(table)));

test('each invited student gets credentials by email and appears in the audit log', async () => {
  const reply = await invite(
    row({ email: 'One@example.org', firstName: ' Tashi ', lastName: 'Dolma' }),
    row({ email: 'two@example.org' }),
  );
  expect([reply.status, reply.body]).toEqual([
    200,
    {
      successCount: 2,
      failureCount: 0,
      results: [
        { email: 'One@example.org', ok: true },
        { email: 'two@example.org', ok: true },
      ],
    },
  ]);
  const [mail] = await listMailsTo(app.db, 'one@example.org');
  const client = app.visitor();
  expect((await client.post('/api/login', parseMailedCredentials(mail!))).status).toBe(200);
  expect((await client.get('/api/user')).body).toMatchObject({
    username: 'one',
    firstName: 'Tashi',
    lastName: 'Dolma',
    role: 'student',
    suggestOwnPassword: true,
  });
  expect((await client.get('/api/user/transmission-levels')).body).toMatchObject([{ name: 'Refuge' }]);
  expect(parseMailedCredentials(mail!)).not.toEqual(
    parseMailedCredentials((await listMailsTo(app.db, 'two@example.org'))[0]!),
  );
  expect((await teacher.get('/api/admin/audit-log')).body).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'user-invited', subjectName: 'Tashi Dolma', detail: 'Refuge' }),
    ]),
  );
});

test('returns an error for each invalid invite and sends the valid invites', async () => {
  const known = await app.make.student();
  const before = await everything();
  const reply = await invite(
    row({ email: 'no address' }),
    row({ email: 'good.first@example.org' }),
    row({ transmissionLevels: [999_999] }),
    row({ email: known.email.toUpperCase() }),
    row({ email: 'GOOD.first@example.org' }),
    row({ lastName: 'x'.repeat(101) }),
    row({ firstName: '   ' }),
    row({ lastName: 'W\0' }),
    row({ lastName: 'Wеber' }),
    row({ email: 'n\0ul@example.org' }),
    row({ transmissionLevels: [] }),
    row({ transmissionLevels: ['first'] }),
    row({ transmissionLevels: 'all' }),
    row({ firstName: 7 }),
    null,
    'row',
    row({ email: `${'x'.repeat(64)}@example.org`, firstName: 'y'.repeat(100) }),
  );
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({ successCount: 2, failureCount: 15 });
  const messages = (reply.body.results as { ok: boolean; message?: string }[]).map(
    (result) => result.message,
  );
  expect(messages).toEqual([
    'Please enter a valid email address.',
    undefined,
    'This level no longer exists',
    'A user with this email already exists.',
    'A user with this email already exists.',
    'This text is too long. The limit is 100 characters.',
    'Please enter a first name.',
    'This text contains a character that can’t be saved. Please type it again.',
    'This name mixes letters from different alphabets. Please type it again in one alphabet.',
    'Please enter a valid email address.',
    'Please select at least one transmission level.',
    'Something in this form isn’t valid. Please check it and try again.',
    'Please select at least one transmission level.',
    'Please enter a first name.',
    'Please enter a valid email address.',
    'Please enter a valid email address.',
    undefined,
  ]);
  expect(await everything()).toEqual(before.map((count) => count + 2));
});

test('invites only the first valid row if several rows have the same email', async () => {
  const email = 'twice@example.org';
  const reply = await invite(
    row({ email, transmissionLevels: [999_999] }),
    row({ email, firstName: 'Second' }),
    row({ email, firstName: 'Third' }),
  );
  expect(reply.body.results.map((result: { ok: boolean }) => result.ok)).toEqual([false, true, false]);
  expect((await teacher.get(`/api/admin/users?q=${email}`)).body).toMatchObject([{ firstName: 'Second' }]);
});

test('concurrent invites to one email address create one account and send one email', async () => {
  for (let round = 0; round < 5; round += 1) {
    const same = row();
    const replies = await Promise.all([1, 2, 3].map(() => invite(same)));
    expect(replies.reduce((sum, reply) => sum + reply.body.successCount, 0)).toBe(1);
    expect(await listMailsTo(app.db, same.email)).toHaveLength(1);
    expect((await teacher.get(`/api/admin/users?q=${same.email}`)).body).toHaveLength(1);
  }
});

test('thirty people whose emails share a local part get different usernames', async () => {
  const reply = await invite(
    ...Array.from({ length: 30 }, (_, index) => row({ email: `lobsang@${index}.example.org` })),
  );
  expect(reply.body).toMatchObject({ successCount: 30, failureCount: 0 });
  const found = (await teacher.get('/api/admin/users?q=lobsang@')).body as { username: string }[];
  expect(new Set(found.map((user) => user.username)).size).toBe(30);
});

test.each([
  ['no rows', []],
  ['101 rows', Array.from({ length: 101 }, () => row())],
  ['rows that are not a list', 'all'],
])('rejects an invite request with %s and creates nothing', async (_, invites) => {
  const before = await everything();
  const reply = await teacher.post('/api/admin/invite-users', { invites });
  expect(reply.status).toBe(400);
  expect(reply.body.message).toEqual(expect.any(String));
  expect(await everything()).toEqual(before);
});

test('resending invites after a lost response does not create accounts twice', async () => {
  const batch = crypto.randomUUID();
  const rows = Array.from({ length: 6 }, () => row({ clientId: crypto.randomUUID() }));
  const before = await everything();
  const send = (invites: unknown[]) => teacher.post('/api/admin/invite-users', { invites, batch });
  // The second request arrives while the first is still running.
  const replies = await Promise.all([send(rows), send(rows)]);
  replies.push(await send(rows));
  for (const reply of replies) expect(reply.body).toMatchObject({ successCount: 6, failureCount: 0 });
  expect(await everything()).toEqual(before.map((count) => count + 6));

  const others = [
    { ...rows[0], clientId: crypto.randomUUID() },
    { ...rows[1], clientId: undefined },
    row({ clientId: 'no uuid' }),
  ];
  const { body } = await send(others);
  expect(body.results.map((result: { message?: string }) => result.message)).toEqual([
    'A user with this email already exists.',
    'A user with this email already exists.',
    'Something in this form isn’t valid. Please check it and try again.',
  ]);
});

test('a late duplicate invite does not recreate a deleted account', async () => {
  const invited = row({ clientId: crypto.randomUUID() });
  expect((await invite(invited)).body).toMatchObject({ successCount: 1 });
  const [{ id }] = (await teacher.get(`/api/admin/users?q=${invited.email}`)).body as [{ id: string }];
  expect((await teacher.delete(`/api/admin/users/${id}`)).status).toBe(200);
  const before = await everything();
  expect((await invite(invited)).body.results).toMatchObject([
    { message: 'This account has since been deleted. To create it again, please send a new invite.' },
  ]);
  expect(await everything()).toEqual(before);
});

test('a person without a last name can be invited', async () => {
  const single = row({ firstName: 'Jampa', lastName: null });
  expect((await invite(single)).body).toMatchObject({ successCount: 1 });
  const found = await teacher.get(`/api/admin/users?q=${single.email}`);
  expect(found.body).toMatchObject([{ firstName: 'Jampa', lastName: null }]);
});

test('checking invites returns errors and existing accounts, and creates nothing', async () => {
  const known = await app.make.student({ levels: ['Refuge'] });
  await app.make.disable(known);
  const before = await everything();
  const { transmissionLevels: _, ...somebody } = row();
  const reply = await teacher.post('/api/admin/invite-users/check', {
    invites: [
      somebody,
      { ...somebody, email: `  ${known.email.toUpperCase()}`, firstName: '' },
      { ...somebody, email: 'tashi@example', lastName: 'Wеber' },
      null,
    ],
  });
  expect(reply.status).toBe(200);
  const [fine, here, wrong, nothing] = reply.body.results;
  expect(fine).toEqual({ issues: [], account: null });
  expect(here).toEqual({
    issues: [{ path: 'firstName', message: 'Please enter a first name.' }],
    account: {
      id: known.id,
      username: known.username,
      firstName: 'Tashi',
      lastName: 'Dolma',
      role: 'student',
      isActive: false,
      transmissionLevels: [level.id],
    },
  });
  expect(wrong.issues.map(({ path }: { path: string }) => path)).toEqual(['email', 'lastName']);
  expect(nothing).toMatchObject({ account: null, issues: { length: 3 } });
  expect(await everything()).toEqual(before);
  const tooMany = await teacher.post('/api/admin/invite-users/check', {
    invites: Array.from({ length: 101 }, () => somebody),
  });
  expect(tooMany.status).toBe(400);
});
