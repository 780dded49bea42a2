import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp();
const teacher = await app.as(await app.make.teacher({ username: 'khandro' }));
const CREATE = '/api/admin/create-user-with-credentials';

const person = async (given: object = {}) => ({
  email: `${crypto.randomUUID().slice(0, 8)}@example.org`,
  firstName: 'Marianne',
  lastName: 'Weber',
  transmissionLevels: [(await app.make.level('Open to All')).id],
  ...given,
});

test('a new student signs in with the returned password and has the granted levels', async () => {
  const wang = await app.make.level('Wang (Empowerment)');
  const made = await teacher.post(
    CREATE,
    await person({ email: 'Marianne.Weber@Example.org', transmissionLevels: [wang.id] }),
  );
  expect(made.status).toBe(201);
  expect(made.body.user).toMatchObject({
    email: 'marianne.weber@example.org',
    username: 'marianne.weber',
    firstName: 'Marianne',
    lastName: 'Weber',
    role: 'student',
  });
  expect(JSON.stringify(made.body.user)).not.toMatch(/argon2/);
  const client = app.visitor();
  const { password } = made.body;
  expect((await client.post('/api/login', { username: 'marianne.weber', password })).status).toBe(200);
  expect((await client.get('/api/user')).body.suggestOwnPassword).toBe(true);
  expect(await app.count('mails')).toBe(0);
  expect((await teacher.get('/api/admin/audit-log')).body[0]).toMatchObject({
    action: 'user-created',
    subjectName: 'Marianne Weber',
    detail: 'Wang (Empowerment)',
  });
  expect((await client.get('/api/user/transmission-levels')).body).toMatchObject([
    { name: 'Wang (Empowerment)' },
  ]);
});

test('users whose emails share a local part get different usernames, even concurrently', async () => {
  const all = await Promise.all(
    ['a.org', 'b.org', 'c.org', 'd.org'].map(async (domain) =>
      teacher.post(CREATE, await person({ email: `pema@${domain}` })),
    ),
  );
  expect(all.map((reply) => reply.status)).toEqual([201, 201, 201, 201]);
  expect(all.map((reply) => reply.body.user.username as string).sort()).toEqual([
    'pema',
    'pema2',
    'pema3',
    'pema4',
  ]);
});

test('a username stored with capitals can’t be used again in lower case', async () => {
  await app.make.student({ username: 'Lhamo' });
  const made = await teacher.post(CREATE, await person({ email: 'lhamo@z.org' }));
  expect([made.status, made.body.user.username]).toEqual([201, 'lhamo2']);
});

test('when granting races with revoking, the last audit entry matches the result', async () => {
  const { id, username } = await app.make.student({ firstName: '', lastName: '' });
  const level = await app.make.level('Refuge');
  const access = `/api/admin/users/${id}/transmission-access`;
  for (let i = 0; i < 10; i += 1) {
    const [granted, revoked] = await Promise.all([
      teacher.post(access, { transmissionLevelId: level.id }),
      teacher.delete(`${access}/${level.id}`),
    ]);
    expect([200, 201]).toContain(granted.status);
    expect(revoked.status).toBe(200);
    // Grants and revocations alternate in the log, and the last entry matches whether the student has access.
    const { body: entries } = await teacher.get('/api/admin/audit-log');
    const told = (entries as { subjectName: string; action: string }[])
      .filter((entry) => entry.subjectName === username)
      .map((entry) => entry.action)
      .reverse();
    const turns = told.map((_, index) => (index % 2 === 0 ? 'level-granted' : 'level-revoked'));
    expect(told).toEqual(turns);
    const stands = (await teacher.get(access)).body.length === 1;
    expect(told.at(-1) === 'level-granted').toBe(stands);
  }
});

test('rejects an email that has an account, ignoring case, even if sent concurrently', async () => {
  const same = await person({ email: 'twice@example.org' });
  const both = await Promise.all([
    teacher.post(CREATE, same),
    teacher.post(CREATE, { ...same, email: 'TWICE@example.org' }),
  ]);
  expect(both.map((reply) => reply.status).sort()).toEqual([201, 409]);
  const list = await teacher.get('/api/admin/users?q=twice@');
  expect(list.body).toHaveLength(1);
});

test.each([
  ['a blank name', { firstName: '   ' }],
  ['no level', { transmissionLevels: [] }],
  ['an invalid email', { email: 'marianne' }],
  ['a name with a NUL', { lastName: 'W\0' }],
  ['a name of two scripts in one word', { firstName: 'Mаrianne' }],
  ['a level that does not exist', { transmissionLevels: [999_999] }],
  ['a level that is not a number', { transmissionLevels: ['first'] }],
])('rejects a new user with %s and creates nothing', async (_, wrong) => {
  const before = await app.count('users');
  const reply = await teacher.post(CREATE, await person(wrong));
  expect(reply.status).toBe(400);
  expect(reply.body.message).toEqual(expect.any(String));
  expect(await app.count('users')).toBe(before);
});

test('rejects a new user with a missing field', async () => {
  const reply = await teacher.post(CREATE, await person({ firstName: '' }));
  expect(reply.body.message).toBe('Please fill in all fields and select at least one transmission level.');
});

test('granting and revoking a level are idempotent and apply from the next request', async () => {
  const student = await app.make.student();
  const client = await app.as(student);
  const level = await app.make.level('Refuge');
  const melody = await app.make.melody({ level: 'Refuge' });
  const access = `/api/admin/users/${student.id}/transmission-access`;
  expect((await client.get(`/api/melodies/${melody.id}`)).status).toBe(404);

  const granted = await teacher.post(access, { transmissionLevelId: String(level.id) });
  expect(granted.status).toBe(201);
  expect(granted.body).toMatchObject({
    transmissionLevelId: level.id,
    grantedAt: expect.stringMatching(/Z$/),
  });
  const again = await teacher.post(access, { transmissionLevelId: level.id });
  expect([again.status, again.body]).toEqual([200, granted.body]);
  expect((await teacher.get(access)).body).toEqual([granted.body]);
  expect((await client.get(`/api/melodies/${melody.id}`)).status).toBe(200);

  expect((await teacher.delete(`${access}/${level.id}`)).status).toBe(200);
  expect((await teacher.delete(`${access}/${level.id}`)).status).toBe(200);
  expect((await teacher.get(access)).body).toEqual([]);
  expect((await client.get(`/api/melodies/${melody.id}`)).status).toBe(404);
});

test('concurrent grants of a level create one row and one audit entry', async () => {
  const entries = await app.count('audit_log');
  const student = await app.make.student();
  const level = await app.make.level('Refuge');
  const access = `/api/admin/users/${student.id}/transmission-access`;
  const all = await Promise.all(
    [1, 2, 3, 4].map(() => teacher.post(access, { transmissionLevelId: level.id })),
  );
  expect(all.map((reply) => reply.status).sort()).toEqual([200, 200, 200, 201]);
  expect((await teacher.get(access)).body).toHaveLength(1);
  expect(await app.count('audit_log')).toBe(entries + 1);
  await Promise.all([1, 2, 3].map(() => teacher.delete(`${access}/${level.id}`)));
  expect(await app.count('audit_log')).toBe(entries + 2);
});

test('granting a level returns 404 for an unknown user and 400 for an unknown level', async () => {
  const nobody = `/api/admin/users/${crypto.randomUUID()}/transmission-access`;
  const level = await app.make.level('Refuge');
  expect((await teacher.get(nobody)).status).toBe(404);
  expect((await teacher.post(nobody, { transmissionLevelId: level.id })).status).toBe(404);
  expect((await teacher.delete(`${nobody}/${level.id}`)).status).toBe(404);
  expect((await teacher.get('/api/admin/users/not-an-id/transmission-access')).status).toBe(404);
  const { id } = await app.make.student();
  const access = `/api/admin/users/${id}/transmission-access`;
  expect((await teacher.post(access, { transmissionLevelId: 999_999 })).status).toBe(400);
  expect((await teacher.post(access, { transmissionLevelId: 99_999_999_999 })).status).toBe(400);
  expect((await teacher.post(access, {})).status).toBe(400);
});

test('search finds users who match every word, with counts of recordings and feedback', async () => {
  const student = await app.make.student({
    firstName: 'Jampa',
    lastName: 'Norbu-Lhündrup',
    username: 'jampa.n',
  });
  await app.make.recording({ student });
  await app.make.feedback({ student });
  const found = await teacher.get(`/api/admin/users?q=${encodeURIComponent('norbu JAMPA')}`);
  expect(found.body).toMatchObject([{ username: 'jampa.n', recordingCount: 2, feedbackCount: 1 }]);
  const plain = await teacher.get(`/api/admin/users?q=${encodeURIComponent('LHUNDRUP jampa')}`);
  expect(plain.body).toEqual(found.body);
  expect(found.body[0]).not.toHaveProperty('password');
  const silent = await app.make.student({ username: 'silent' });
  const all = (await teacher.get('/api/admin/users')).body as { id: string }[];
  expect(all.find((one) => one.id === student.id)).toEqual(found.body[0]);
  const none = { recordingCount: 0, feedbackCount: 0 };
  expect(all.find((one) => one.id === silent.id)).toMatchObject(none);
  expect((await teacher.get('/api/admin/users?q=silent')).body).toMatchObject([none]);
  expect((await teacher.get('/api/admin/users?q=100%25')).body).toEqual([]);
  expect((await teacher.get(`/api/admin/users?q=${encodeURIComponent('norbu nobody')}`)).body).toEqual([]);
});

test('fetching a user returns the same data as the list, or 404 for an unknown user', async () => {
  const student = await app.make.student({ username: 'the.one' });
  await app.make.feedback({ student });
  const [listed] = (await teacher.get('/api/admin/users?q=the.one')).body;
  expect((await teacher.get(`/api/admin/users/${student.id}`)).body).toEqual(listed);
  expect(listed).toMatchObject({ recordingCount: 1, feedbackCount: 1 });
  expect((await teacher.get(`/api/admin/users/${crypto.randomUUID()}`)).status).toBe(404);
  expect((await teacher.get('/api/admin/users/x')).status).toBe(404);
});

test('search finds one user among a thousand, and returns many matches in pages', async () => {
  await app.db.execute(sql`
    insert into users (id, email, username, password, first_name, last_name, role, is_active)
    select gen_random_uuid()::text, 'many.' || n || '@example.org', 'many.' || n, 'x',
      'Lhündrup', 'Number' || n, 'student', true
    from generate_series(1, 1000) n`);
  await app.services.users.backfillSearchColumns();
  const found = await teacher.get('/api/admin/users?q=lhundrup%20number432');
  expect(found.body).toMatchObject([{ username: 'many.432' }]);
  const many = await teacher.get('/api/admin/users?q=LHUNDRUP%20number');
  expect([many.body.length, many.headers.get('x-total-count')]).toEqual([100, '1000']);
  const link = /<(.+)>; rel="next"/.exec(many.headers.get('link') ?? '')?.[1];
  const next = await teacher.get(link!);
  expect([next.body.length, next.headers.get('x-total-count')]).toEqual([100, '1000']);
  const names = [...many.body, ...next.body].map(({ lastName }: { lastName: string }) => lastName);
  expect(names).toEqual([...new Set(names)].sort());
});
