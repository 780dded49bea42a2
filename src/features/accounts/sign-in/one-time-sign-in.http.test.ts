import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { auditLog, mails, signInTokens } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient } from '#testing/client.ts';
import {
  SIGN_IN_CODE_INVALID_MESSAGE,
  SIGN_IN_LINK_REQUESTED_MESSAGE,
  SIGN_IN_LINK_INVALID_MESSAGE,
} from './limits.ts';

const MINUTE = 60 * 1000;
// No mail worker runs here, so that queued emails can be inspected.
const environment = { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: 'http://songs.example' };
const app = await startTestApp({ environment });
const withoutMail = await startTestApp({ beside: app });

type Person = { id: string; username: string; email: string };
let lastAddress = 0;
const newAddress = () => `10.0.${(lastAddress += 1)}.1`;
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

const requestSignInLink = (name: string, address = newAddress()) =>
  app.visitor().post('/api/sign-in/link', { name }, from(address));
const mailsTo = ({ id }: Person, kind: 'sign-in-link' | 'new-device' = 'sign-in-link') =>
  app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, id), eq(mails.kind, kind)))
    .orderBy(mails.id);

/** Requests a link and returns the token in the latest email. */
async function mailedToken(person: Person) {
  expect((await requestSignInLink(person.username)).status).toBe(200);
  await app.idle();
  const text = (await mailsTo(person)).at(-1)?.text ?? '';
  return /http:\/\/songs\.example\/auth#link=([\w-]{43})\n/.exec(text)![1]!;
}

type Kind = 'link' | 'code';
const spent = (kind: Kind) => {
  const message = kind === 'link' ? SIGN_IN_LINK_INVALID_MESSAGE : SIGN_IN_CODE_INVALID_MESSAGE;
  return [400, { message, issues: [{ path: 'token', message }] }];
};
const redeem = async (kind: Kind, token: string, client = app.visitor(), address = newAddress()) => {
  const { status, body } = await client.post('/api/sign-in/one-time', { kind, token }, from(address));
  return [status, body] as [number, { id: string }];
};
const owner = async (kind: Kind, token: string, address = newAddress()) => {
  const body = { kind, token };
  const reply = await app.visitor().post('/api/sign-in/one-time/owner', body, from(address));
  return [reply.status, reply.body] as [number, unknown];
};
const getSignedInUserId = async (client: TestClient) =>
  (await client.get('/api/user')).body.id as string | undefined;

const showCode = async (client: TestClient, path = '/api/user/sign-in-codes') => {
  const { status, body } = await client.post(path);
  expect(status).toBe(201);
  return body as { id: number; code: string; validSeconds: number };
};
const stateOf = async (client: TestClient, id: number) => {
  const { status, body } = await client.get(`/api/user/sign-in-codes/${id}`);
  return status === 200 ? (body.state as string) : status;
};

/** Functions that create a token of each kind for a user. */
const made = {
  link: mailedToken,
  code: async (person: Person) => (await showCode(await app.as(person))).code,
};
const kinds = ['link', 'code'] as const;

test.each(kinds)('a sign-in %s shows whose account it opens and works once', async (kind) => {
  const student = await app.make.student({ firstName: 'Pema', lastName: 'Lhamo' });
  const token = await made[kind](student);
  const name = { firstName: 'Pema', lastName: 'Lhamo', username: student.username };
  // Looking up the owner doesn't use up the token, so mail scanners may do so repeatedly.
  for (let times = 0; times < 3; times += 1) expect(await owner(kind, token)).toEqual([200, name]);
  const browser = app.visitor();
  const [status, user] = await redeem(kind, token, browser);
  expect([status, user.id]).toEqual([200, student.id]);
  expect(await getSignedInUserId(browser)).toBe(student.id);
  expect(await redeem(kind, token)).toEqual(spent(kind));
  expect(await owner(kind, token)).toEqual(spent(kind));
});

test.each(kinds)('only one of several concurrent uses of a sign-in %s succeeds', async (kind) => {
  const student = await app.make.student();
  const token = await made[kind](student);
  const replies = await Promise.all(Array.from({ length: 5 }, () => redeem(kind, token)));
  expect(replies.map(([status]) => status).sort()).toEqual([200, 400, 400, 400, 400]);
});

test.each(kinds)('a sign-in %s is valid for ten minutes', async (kind) => {
  const student = await app.make.student();
  const token = await made[kind](student);
  try {
    app.clock.advance(9 * MINUTE);
    expect((await owner(kind, token))[0]).toBe(200);
    app.clock.advance(MINUTE + 1000);
    expect(await owner(kind, token)).toEqual(spent(kind));
    expect(await redeem(kind, token)).toEqual(spent(kind));
  } finally {
    app.clock.reset();
  }
});

test.each(kinds)('a new sign-in %s revokes the previous one', async (kind) => {
  const student = await app.make.student();
  const before = await made[kind](student);
  const token = await made[kind](student);
  expect(await redeem(kind, before)).toEqual(spent(kind));
  expect((await redeem(kind, token))[0]).toBe(200);
});

const endings: Record<string, (student: Person) => Promise<{ status: number }>> = {
  'the password is changed': async (student) =>
    (await app.as(student)).post('/api/user/change-password', {
      currentPassword: TEST_PASSWORD,
      newPassword: 'a-lotus-of-my-own',
    }),
  'its user signs out everywhere else': async (student) =>
    (await app.as(student)).post('/api/user/sign-out-elsewhere'),
  'its user is disabled': async (student) => {
    const teacher = await app.as(await app.make.teacher());
    await teacher.put(`/api/admin/users/${student.id}/status`, { isActive: false });
    return teacher.put(`/api/admin/users/${student.id}/status`, { isActive: true });
  },
};

test.each(kinds.flatMap((kind) => Object.keys(endings).map((ending) => [kind, ending] as const)))(
  'a sign-in %s no longer works after %s',
  async (kind, ending) => {
    const student = await app.make.student();
    const token = await made[kind](student);
    expect((await endings[ending]!(student)).status).toBe(200);
    expect(await redeem(kind, token)).toEqual(spent(kind));
  },
);

test('sign-in links and codes do not work for a disabled user', async () => {
  for (const kind of kinds) {
    const student = await app.make.student();
    const token = await made[kind](student);
    await app.make.disable(student);
    expect(await owner(kind, token)).toEqual(spent(kind));
    expect(await redeem(kind, token)).toEqual(spent(kind));
  }
});

test('a sign-in link can’t be used as a code, or a code as a link', async () => {
  const student = await app.make.student();
  expect(await redeem('code', await made.link(student))).toEqual(spent('code'));
  expect(await redeem('link', await made.code(student))).toEqual(spent('link'));
});

test('sign-in links and codes are stored as hashes, with a slow hash for codes', async () => {
  const student = await app.make.student();
  const tokens = [await made.link(student), await made.code(student)];
  const rows = await app.db.select().from(signInTokens).where(eq(signInTokens.userId, student.id));
  for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token);
  const fast = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(tokens[1]));
  expect(rows.map((row) => row.token)).not.toContain(Buffer.from(fast).toString('hex'));
});

test('signing in by link ends the browser’s earlier session and announces a new device', async () => {
  const [student, other] = [await app.make.student({ firstName: 'Tashi' }), await app.make.student()];
  await app
    .visitor()
    .post('/api/login', { username: student.username, password: TEST_PASSWORD }, from(newAddress()));
  const browser = await app.as(other);
  const before = browser.cookies.get('session')!;
  await redeem('link', await made.link(student), browser);
  expect(await getSignedInUserId(browser)).toBe(student.id);
  const former = app.visitor();
  former.cookies.set('session', before);
  expect((await former.get('/api/user')).status).toBe(401);
  const [mail] = await mailsTo(student, 'new-device');
  expect(mail?.text).toContain('at Yangchen on a new device');
  // The device is known at the second sign-in, so no email is sent.
  await redeem('code', await made.code(student), browser);
  expect(await mailsTo(student, 'new-device')).toHaveLength(1);
});

test('a link request gets the same response for any name, and emails only active users', async () => {
  const student = await app.make.student({ firstName: 'Tashi' });
  const disabled = await app.make.student();
  await app.make.disable(disabled);
  const before = await app.count('mails');
  for (const name of ['nobody-at-all', 'nobody@example.org', disabled.username, disabled.email]) {
    const { status, body } = await requestSignInLink(name);
    expect([status, body]).toEqual([200, { message: SIGN_IN_LINK_REQUESTED_MESSAGE }]);
  }
  await app.idle();
  expect(await app.count('mails')).toBe(before);
  for (const name of [student.username.toUpperCase(), ` ${student.email}`]) {
    const { status, body } = await requestSignInLink(name);
    expect([status, body]).toEqual([200, { message: SIGN_IN_LINK_REQUESTED_MESSAGE }]);
  }
  await app.idle();
  const [mail] = await mailsTo(student);
  expect(await mailsTo(student)).toHaveLength(2);
  expect(mail).toMatchObject({ recipient: student.email, subject: 'Sign in to Yangchen' });
  expect(mail!.text).toContain('Dear Tashi,');
  expect(mail!.text).toContain('This link works once and expires in 10 minutes.');
  expect((await requestSignInLink(' ')).status).toBe(400);
});

test('limits sign-in links to five an hour per name and IP address, and per account', async () => {
  const student = await app.make.student();
  const address = newAddress();
  for (let times = 0; times < 5; times += 1)
    expect((await requestSignInLink(student.email, address)).status).toBe(200);
  const sixth = await requestSignInLink(student.email, address);
  expect(sixth.status).toBe(429);
  expect(sixth.headers.get('retry-after')).toBe('3600');
  // The limit for an unknown name is the same.
  const elsewhere = newAddress();
  for (let times = 0; times < 5; times += 1) await requestSignInLink('nobody', elsewhere);
  expect((await requestSignInLink('nobody', elsewhere)).body).toEqual(sixth.body);
  await app.idle();
  expect((await requestSignInLink(student.username)).status).toBe(200);
  await app.idle();
  expect(await mailsTo(student)).toHaveLength(5);
});

test('rejects a request for a sign-in link if there is no mail server', async () => {
  const student = await app.make.student();
  const reply = await withoutMail.visitor().post('/api/sign-in/link', { name: student.username });
  expect(reply.status).toBe(409);
  await withoutMail.idle();
  expect(await mailsTo(student)).toEqual([]);
});

test('a code typed in lower case, with o for 0 and l for 1, signs in', async () => {
  const student = await app.make.student();
  const { code, validSeconds } = await showCode(await app.as(student));
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
  expect(validSeconds).toBe(600);
  const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `
    .replaceAll('0', 'o')
    .replaceAll('1', 'l');
  expect((await redeem('code', typed))[0]).toBe(200);
});

test('only the user who was shown a sign-in code can see whether it was used', async () => {
  const student = await app.make.student();
  const [browser, stranger] = [await app.as(student), await app.as(await app.make.student())];
  const { id, code } = await showCode(browser);
  const heard = await browser.stream('/api/events');
  try {
    expect(await stateOf(browser, id)).toBe('open');
    expect(await stateOf(stranger, id)).toBe(404);
    expect((await stranger.delete(`/api/user/sign-in-codes/${id}`)).status).toBe(404);
    await redeem('code', code);
    await expect.poll(() => heard.events).toContainEqual({ refreshes: ['/api/user/sign-in-codes'] });
  } finally {
    await heard.close();
  }
  expect(await stateOf(browser, id)).toBe('used');
  // Closing the dialog does not revoke a used code.
  await browser.delete(`/api/user/sign-in-codes/${id}`);
  expect(await stateOf(browser, id)).toBe('used');
});

test('a sign-in code no longer works after its dialog is closed', async () => {
  const browser = await app.as(await app.make.student());
  const { id, code } = await showCode(browser);
  expect((await browser.delete(`/api/user/sign-in-codes/${id}`)).status).toBe(200);
  expect(await stateOf(browser, id)).toBe('ended');
  expect(await redeem('code', code)).toEqual(spent('code'));
});

test('a teacher can create codes only for active students, and each code is audited', async () => {
  const teacher = await app.make.teacher({ firstName: 'Khandro', lastName: 'One' });
  const [student, disabled, colleague] = [
    await app.make.student({ firstName: 'Sonam', lastName: 'Dorje' }),
    await app.make.student(),
    await app.make.teacher(),
  ];
  await app.make.disable(disabled);
  const browser = await app.as(teacher);
  const codesOf = ({ id }: Person) => `/api/admin/users/${id}/sign-in-codes`;
  // The student's own code stays valid.
  const own = await made.code(student);
  const { id, code } = await showCode(browser, codesOf(student));
  const [entry] = await app.db.select().from(auditLog).where(eq(auditLog.actorId, teacher.id));
  expect(entry).toMatchObject({ action: 'sign-in-code-shown', subjectName: 'Sonam Dorje' });
  expect((await owner('code', code))[1]).toMatchObject({ username: student.username });
  expect((await redeem('code', code))[1].id).toBe(student.id);
  expect(await stateOf(browser, id)).toBe('used');
  expect((await redeem('code', own))[0]).toBe(200);
  for (const [person, status] of [
    [colleague, 403],
    [teacher, 403],
    [disabled, 404],
  ] as const)
    expect((await browser.post(codesOf(person))).status).toBe(status);
  expect((await (await app.as(student)).post(codesOf(student))).status).toBe(403);
});

test('a code that a teacher showed stops working if that teacher is disabled', async () => {
  const [teacher, colleague, student] = [
    await app.make.teacher(),
    await app.make.teacher(),
    await app.make.student(),
  ];
  const { code } = await showCode(await app.as(teacher), `/api/admin/users/${student.id}/sign-in-codes`);
  await (await app.as(colleague)).put(`/api/admin/users/${teacher.id}/status`, { isActive: false });
  expect(await redeem('code', code)).toEqual(spent('code'));
});

test('limits an IP address to twenty code guesses per 15 minutes, even in a burst', async () => {
  const student = await app.make.student();
  const code = await made.code(student);
  const address = newAddress();
  const guesses = await Promise.all(
    Array.from({ length: 30 }, () => redeem('code', '00000000', app.visitor(), address)),
  );
  expect(guesses.filter(([status]) => status === 400)).toHaveLength(20);
  expect(guesses.filter(([status]) => status === 429)).toHaveLength(10);
  // Looking up the owner also counts as a guess.
  expect((await owner('code', code, address))[0]).toBe(429);
  expect((await redeem('code', code, app.visitor(), address))[0]).toBe(429);
  expect((await redeem('code', code))[0]).toBe(200);
});

test('after two hundred wrong codes in total, allows an attempt every two seconds', async () => {
  const student = await app.make.student();
  try {
    app.clock.set(new Date(Date.now() + 60 * MINUTE));
    const code = await made.code(student);
    for (let twenties = 0; twenties < 10; twenties += 1) {
      const addresses = Array.from({ length: 10 }, newAddress);
      await Promise.all(
        [...addresses, ...addresses].map((address) => redeem('code', '00000000', app.visitor(), address)),
      );
    }
    expect((await redeem('code', code))[0]).toBe(429);
    app.clock.advance(2_000);
    expect((await redeem('code', '00000000'))[0]).toBe(400);
    expect((await redeem('code', code))[0]).toBe(429);
    app.clock.advance(2_000);
    expect((await redeem('code', code))[0]).toBe(200);
  } finally {
    app.clock.reset();
  }
});

test('a correct code works while an IPv6 /56 network guesses codes', async () => {
  try {
    app.clock.set(new Date(Date.now() + 120 * MINUTE));
    const guesses = await Promise.all(
      Array.from({ length: 220 }, (_, i) =>
        redeem('code', '00000000', app.visitor(), `2001:db8:77:${(0x400 + i).toString(16)}::1`),
      ),
    );
    expect(guesses.filter(([status]) => status === 400)).toHaveLength(40);
    for (let i = 0; i < 12; i += 1) {
      const code = await made.code(await app.make.student());
      expect((await redeem('code', code, app.visitor(), `2001:db8:88:${i}::1`))[0]).toBe(200);
    }
  } finally {
    app.clock.reset();
  }
});

test('limits a user to sixty sign-in codes an hour', async () => {
  const browser = await app.as(await app.make.student());
  for (let times = 0; times < 60; times += 1) await showCode(browser);
  expect((await browser.post('/api/user/sign-in-codes')).status).toBe(429);
});

test('maintenance deletes links and codes an hour after they expired', async () => {
  const student = await app.make.student();
  await made.link(student);
  await made.code(student);
  const left = async () =>
    (await app.db.select().from(signInTokens).where(eq(signInTokens.userId, student.id))).length;
  try {
    app.clock.advance(69 * MINUTE);
    await app.services.signIn.deleteExpiredTokens();
    expect(await left()).toBe(2);
    app.clock.advance(2 * MINUTE);
    await app.services.signIn.deleteExpiredTokens();
    expect(await left()).toBe(0);
  } finally {
    app.clock.reset();
  }
});
