import { and, eq, gte } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { mails, passkeys, passwordResetTokens, users } from '#server/db/schema.ts';
import { TEST_SESSION_DETAILS, startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { parseMailedCredentials } from '#testing/mails.ts';
import { PASSKEYS_NOT_REMOVABLE_MESSAGE } from './limits.ts';

const app = await startTestApp({
  environment: { TRUST_PROXY: '1', PUBLIC_URL: 'https://songs.example', APP_NAME: 'Drukpa <Songs>' },
});
const NEW = 'a-lotus-of-my-own';
const HOUR = 60 * 60 * 1000;
const SENTENCE = { message: "If an account with that email exists, we've sent a password reset link." };
const INVALID = {
  message: 'This password reset link is invalid or has expired.',
  issues: [{ path: 'token', message: 'This password reset link is invalid or has expired.' }],
};

let lastAddress = 0;
const request = (email: string, address = `10.0.${(lastAddress += 1)}.1`) =>
  app.visitor().post('/api/password-reset/request', { email }, { headers: { 'x-forwarded-for': address } });
const confirm = (token: string, newPassword = NEW, client = app.visitor()) =>
  client.post('/api/password-reset/confirm', { token, newPassword });
const signIn = async (username: string, password: string) =>
  (await app.visitor().post('/api/login', { username, password })).status;

const mailsTo = (user: { id: string }) =>
  app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, user.id), eq(mails.kind, 'password-reset')))
    .orderBy(mails.id);

/** Returns a signed-in client whose session cookie has the name used on https. */
async function createSignedInClient(user: { id: string }) {
  const client = app.visitor();
  const session = await app.services.sessions.start(user.id, TEST_SESSION_DETAILS, new Date());
  client.cookies.set('__Host-session', session);
  return client;
}

/** Requests a link and returns the token in the latest email. */
async function mailedToken(user: { id: string; email: string }) {
  expect((await request(user.email)).status).toBe(200);
  await app.idle();
  const mail = (await mailsTo(user)).at(-1);
  return /\/reset-password\?token=([\w-]+)/.exec(mail?.text ?? '')![1]!;
}

test('an emailed link to the configured URL resets a forgotten password', async () => {
  const student = await app.make.student({ firstName: 'Tashi', lastName: '<b>Dolma' });
  const reply = await request(` ${student.email.toUpperCase()} `);
  expect([reply.status, reply.body]).toEqual([200, SENTENCE]);
  await app.idle();
  const [mail] = await mailsTo(student);
  expect(mail).toMatchObject({
    recipient: student.email,
    status: 'queued',
    subject: expect.stringContaining('Drukpa') as string,
  });
  expect(mail!.text).toContain('Dear Tashi <b>Dolma,');
  expect(mail!.text).toContain(student.username);
  expect(mail!.text).toMatch(/24 hours/);
  expect(mail!.text).toMatch(/If you didn’t ask for this, ignore this email/);
  expect(mail!.text).toMatch(/https:\/\/songs\.example\/reset-password\?token=[\w-]{43}\n/);
  expect(mail!.html).not.toContain('<b>Dolma');

  const token = await mailedToken(student);
  const set = await confirm(token);
  expect([set.status, set.body]).toEqual([200, { message: 'Password reset' }]);
  expect(await signIn(student.username, TEST_PASSWORD)).toBe(401);
  expect(await signIn(student.username, NEW)).toBe(200);
});

test('resetting the password by an emailed link is recorded in the audit log', async () => {
  const student = await app.make.student({ firstName: 'Dawa', lastName: 'Norbu' });
  await confirm(await mailedToken(student));
  const [entry] = (await (await createSignedInClient(await app.make.teacher())).get('/api/admin/audit-log'))
    .body;
  expect(entry).toMatchObject({
    action: 'password-reset',
    actorName: 'Dawa Norbu',
    subjectName: 'Dawa Norbu',
  });
});

test('reset requests for unknown or disabled users get the usual response but no email', async () => {
  const disabled = await app.make.student();
  await app.make.disable(disabled);
  for (const email of ['nobody@example.org', disabled.email]) {
    const reply = await request(email);
    expect([reply.status, reply.body]).toEqual([200, SENTENCE]);
  }
  await app.idle();
  expect(await mailsTo(disabled)).toEqual([]);
});

test('reset tokens are random and stored only as hashes', async () => {
  const student = await app.make.student();
  const [one, two] = [await mailedToken(student), await mailedToken(student)];
  expect(one).not.toBe(two);
  const rows = await app.db
    .select()
    .from(passwordResetTokens)
    .where(eq(passwordResetTokens.userId, student.id));
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(one);
  expect(JSON.stringify(rows)).not.toContain(two);
});

test('rejects a reset request for an invalid email with an error at its field', async () => {
  const reply = await request('not an address');
  expect(reply.status).toBe(400);
  expect(reply.body.issues).toEqual([{ path: 'email', message: 'Please enter a valid email address.' }]);
});

test('a password reset ends all sessions of its user, but nobody else’s', async () => {
  const student = await app.make.student();
  await app.db.update(users).set({ suggestOwnPassword: true }).where(eq(users.id, student.id));
  const [one, two] = [await createSignedInClient(student), await createSignedInClient(student)];
  const other = await createSignedInClient(await app.make.student());
  await confirm(await mailedToken(student));
  expect((await one.get('/api/user')).status).toBe(401);
  expect((await two.get('/api/user')).status).toBe(401);
  expect((await other.get('/api/user')).status).toBe(200);
  expect((await (await createSignedInClient(student)).get('/api/user')).body.suggestOwnPassword).toBe(false);
});

test('a password reset signs out its browser, even if another user is signed in', async () => {
  const student = await app.make.student();
  const browser = await createSignedInClient(await app.make.student());
  const copy = browser.cookies.get('__Host-session')!;
  expect((await browser.get('/api/user')).status).toBe(200);
  expect((await confirm(await mailedToken(student), NEW, browser)).status).toBe(200);
  expect(browser.cookies.has('__Host-session')).toBe(false);
  browser.cookies.set('__Host-session', copy);
  expect((await browser.get('/api/user')).status).toBe(401);
});

test('after a reset, the user can sign in from a network blocked for wrong guesses', async () => {
  const student = await app.make.student();
  const inNetwork = { headers: { 'x-forwarded-for': '198.51.100.70' } };
  const attempt = (client = app.visitor(), password = NEW) =>
    client.post('/api/login', { username: student.username, password }, inNetwork);
  for (let i = 0; i < 10; i += 1) expect((await attempt(app.visitor(), 'guess')).status).toBe(401);
  const browser = app.visitor();
  expect((await confirm(await mailedToken(student), NEW, browser)).status).toBe(200);
  expect((await attempt()).status).toBe(429);
  for (let i = 0; i < 12; i += 1) expect((await attempt(browser)).status).toBe(200);
});

test('a reset link works once, even when used concurrently', async () => {
  const student = await app.make.student();
  const token = await mailedToken(student);
  const replies = await Promise.all([1, 2, 3].map((i) => confirm(token, `the-new-one-${i}`)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  const won = replies.findIndex(({ status }) => status === 200) + 1;
  expect(await signIn(student.username, `the-new-one-${won}`)).toBe(200);
  const again = await confirm(token);
  expect([again.status, again.body]).toEqual([400, INVALID]);
});

test('the last two reset links work until one of them is used', async () => {
  const student = await app.make.student();
  const [first, second, third] = [
    await mailedToken(student),
    await mailedToken(student),
    await mailedToken(student),
  ];
  expect((await confirm(first)).body).toEqual(INVALID);
  expect((await confirm(second)).status).toBe(200);
  expect((await confirm(third)).body).toEqual(INVALID);
  expect(await signIn(student.username, NEW)).toBe(200);
});

test('the last two of several reset links requested concurrently work', async () => {
  const student = await app.make.student();
  await Promise.all([1, 2, 3, 4].map(() => request(student.email)));
  await app.idle();
  const open = await app.db
    .select()
    .from(passwordResetTokens)
    .where(and(eq(passwordResetTokens.userId, student.id), eq(passwordResetTokens.used, false)));
  const newest = await app.db.$count(
    passwordResetTokens,
    and(
      eq(passwordResetTokens.userId, student.id),
      gte(passwordResetTokens.id, Math.min(...open.map(({ id }) => id))),
    ),
  );
  expect([open.length, newest]).toEqual([2, 2]);
});

test('requesting and using reset links concurrently never deadlocks', async () => {
  const student = await app.make.student();
  const token = await mailedToken(student);
  const [, set] = await Promise.all([request(student.email), confirm(token), request(student.email)]);
  await app.idle();
  expect([200, 400]).toContain(set.status);
});

test('a reset link works for 24 hours', async () => {
  const [early, late] = [await app.make.student(), await app.make.student()];
  try {
    const [inTime, tooLate] = [await mailedToken(early), await mailedToken(late)];
    app.clock.advance(24 * HOUR - 60_000);
    expect((await confirm(inTime)).status).toBe(200);
    app.clock.advance(2 * 60_000);
    expect((await confirm(tooLate)).body).toEqual(INVALID);
    await app.services.passwords.deleteExpiredLinks();
    expect(
      await app.db.select().from(passwordResetTokens).where(eq(passwordResetTokens.userId, late.id)),
    ).toEqual([]);
  } finally {
    app.clock.reset();
  }
});

test('changing the password or disabling the user revokes the reset link', async () => {
  const [changed, disabled] = [await app.make.student(), await app.make.student()];
  const [one, two] = [await mailedToken(changed), await mailedToken(disabled)];
  const client = app.visitor();
  await client.post('/api/login', { username: changed.username, password: TEST_PASSWORD });
  await client.post('/api/user/change-password', { currentPassword: TEST_PASSWORD, newPassword: 'mine-now' });
  await app.make.disable(disabled);
  for (const token of [one, two]) expect((await confirm(token)).body).toEqual(INVALID);
  expect(await signIn(changed.username, 'mine-now')).toBe(200);
});

test.each([
  ['empty', ''],
  ['unknown', 'x'.repeat(43)],
  ['too long', 'x'.repeat(5000)],
  ['SQL code', "' or 1=1 --"],
  ['missing', undefined],
  ['null', null],
  ['a number', 7],
  ['an object', {}],
])('a reset token that is %s gets the same response as an expired token', async (_what, token) => {
  const reply = await app.visitor().post('/api/password-reset/confirm', { token, newPassword: NEW });
  expect([reply.status, reply.body]).toEqual([400, INVALID]);
});

test('a new password that is too short does not use up the reset link', async () => {
  const student = await app.make.student();
  const token = await mailedToken(student);
  const short = await confirm(token, '12345');
  expect([short.status, short.body.message]).toEqual([
    400,
    'New password must be at least 6 characters long.',
  ]);
  expect((await confirm(token)).status).toBe(200);
});

test('a new password that is easy to guess does not use up the reset link', async () => {
  const student = await app.make.student({ firstName: 'Yangzom' });
  const token = await mailedToken(student);
  for (const guessable of ['12345678', 'yangzom', 'DrukpaSongs1']) {
    const reply = await confirm(token, guessable);
    expect([reply.status, reply.body.issues]).toEqual([
      400,
      [{ path: 'newPassword', message: expect.stringMatching(/easy to guess/) as string }],
    ]);
  }
  // With an invalid link, the response has no error about the password.
  expect((await confirm('none', '12345678')).body).toEqual(INVALID);
  expect((await confirm(token)).status).toBe(200);
});

test('resending a reset link is rolled back with the caller’s transaction', async () => {
  const student = await app.make.student();
  const older = await mailedToken(student);
  const failing = app.db.transaction(async (tx) => {
    await app.services.passwords.sendResetAgain(tx, student.id);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await mailsTo(student)).toHaveLength(1);
  expect(await app.db.transaction((tx) => app.services.passwords.sendResetAgain(tx, student.id))).toBe(true);
  expect(await mailsTo(student)).toHaveLength(2);
  await app.db.transaction((tx) => app.services.passwords.sendResetAgain(tx, student.id));
  expect((await confirm(older)).body).toEqual(INVALID);
  await app.make.disable(student);
  expect(await app.db.transaction((tx) => app.services.passwords.sendResetAgain(tx, student.id))).toBe(false);
});

test('resending credentials revokes reset links emailed earlier', async () => {
  const student = await app.make.student();
  const token = await mailedToken(student);
  const { id } = await app.make.mail(student);
  await app.db.update(mails).set({ status: 'undeliverable', text: null, html: null }).where(eq(mails.id, id));
  const teacher = await createSignedInClient(await app.make.teacher());
  expect((await teacher.post(`/api/admin/mail/${id}/send-again`)).status).toBe(200);
  const [issued] = await app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, student.id), eq(mails.kind, 'credentials')));
  expect((await confirm(token)).body).toEqual(INVALID);
  expect(await signIn(student.username, parseMailedCredentials(issued!).password)).toBe(200);
});

test('a reset link stays revoked after its user is disabled and enabled again', async () => {
  const student = await app.make.student();
  const token = await mailedToken(student);
  const teacher = await createSignedInClient(await app.make.teacher());
  for (const isActive of [false, true]) {
    const reply = await teacher.put(`/api/admin/users/${student.id}/status`, { isActive });
    expect(reply.status).toBe(200);
  }
  expect((await confirm(token)).body).toEqual(INVALID);
  expect(await signIn(student.username, TEST_PASSWORD)).toBe(200);
  expect((await confirm(await mailedToken(student))).status).toBe(200);
});

describe('resetting with “Remove all passkeys”', () => {
  const passkeyOf = ({ id: userId }: { id: string }) =>
    app.db
      .insert(passkeys)
      .values({ userId, credentialId: crypto.randomUUID(), publicKey: 'y', counter: 0, name: 'Phone' });
  const resetOf = async (user: { id: string; email: string }) => {
    const body = { token: await mailedToken(user), newPassword: NEW };
    return (more: object = {}) => app.visitor().post('/api/password-reset/confirm', { ...body, ...more });
  };

  test('a password reset removes the user’s passkeys only if the user requests it', async () => {
    const people = [await app.make.student(), await app.make.student(), await app.make.student()];
    for (const person of people) await passkeyOf(person);
    const [wanted, unwanted] = people as [(typeof people)[0], (typeof people)[0]];
    expect((await (await resetOf(wanted))({ removePasskeys: true })).status).toBe(200);
    expect((await (await resetOf(unwanted))()).status).toBe(200);
    const left = await app.db.select().from(passkeys);
    const owners = left.map(({ userId }) => userId);
    expect(people.map(({ id }) => owners.includes(id))).toEqual([false, true, true]);
  });

  test('a reset link can’t remove the passkeys of a user with a second factor', async () => {
    const teacher = await app.make.teacher();
    await passkeyOf(teacher);
    await app.db.update(users).set({ asksForPasskey: true }).where(eq(users.id, teacher.id));
    const reset = await resetOf(teacher);
    expect(await reset({ removePasskeys: true })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'removePasskeys', message: PASSKEYS_NOT_REMOVABLE_MESSAGE }] },
    });
    expect(await signIn(teacher.username, NEW)).toBe(401);
    // The link still works.
    expect((await reset()).status).toBe(200);
    expect(await app.db.$count(passkeys, eq(passkeys.userId, teacher.id))).toBe(1);
  });
});
