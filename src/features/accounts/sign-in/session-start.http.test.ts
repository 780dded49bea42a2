import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mails, sessions } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import type { TestClient } from '#testing/client.ts';

const app = await startTestApp({ environment: { TRUST_PROXY: '1', SMTP_URL: 'smtp://127.0.0.1:9' } });
const DAY_MS = 24 * 60 * 60 * 1000;

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1';
const from = { headers: { 'x-forwarded-for': '192.0.2.7', 'user-agent': IPHONE } };

const findSession = async (client: TestClient) => {
  const sid = createHash('sha256').update(client.cookies.get('session')!).digest('hex');
  return (await app.db.select().from(sessions).where(eq(sessions.sid, sid)))[0]!;
};
const redeem = async (kind: 'link' | 'code', token: string) => {
  const browser = app.visitor();
  expect((await browser.post('/api/sign-in/one-time', { kind, token }, from)).status).toBe(200);
  return browser;
};

/** Returns a browser in which the student signed in with a code from the teacher. */
async function byCodeOf(teacher: { id: string }, student: { id: string }) {
  const shown = await (await app.as(teacher)).post(`/api/admin/users/${student.id}/sign-in-codes`);
  return redeem('code', shown.body.code);
}

test('password sign-in records the browser, IP address and authentication time', async () => {
  const { username } = await app.make.student();
  const browser = app.visitor();
  await browser.post('/api/login', { username, password: TEST_PASSWORD }, from);
  expect(await findSession(browser)).toMatchObject({
    device: 'Safari on an iPhone',
    address: '192.0.2.7',
    provedAt: expect.any(Date),
    codeShownBy: null,
  });
});

test('a session from a link or the user’s own code stores no identity proof and no teacher', async () => {
  const student = await app.make.student();
  await app.visitor().post('/api/sign-in/link', { name: student.username });
  await app.idle();
  const [mail] = await app.db.select().from(mails).where(eq(mails.userId, student.id));
  const link = /#link=([\w-]{43})/.exec(mail!.text!)![1]!;
  const code = (await (await app.as(student)).post('/api/user/sign-in-codes')).body.code as string;
  for (const browser of [await redeem('link', link), await redeem('code', code)])
    expect(await findSession(browser)).toMatchObject({ provedAt: null, codeShownBy: null });
});

test('signing in with a teacher’s code records the teacher’s name in the session', async () => {
  const teacher = await app.make.teacher({ firstName: 'Khandro', lastName: 'Yeshe' });
  const browser = await byCodeOf(teacher, await app.make.student());
  expect(await findSession(browser)).toMatchObject({ provedAt: null, codeShownBy: 'Khandro Yeshe' });
});

test('signing out other devices does not change the session’s authentication details', async () => {
  try {
    const browser = await byCodeOf(await app.make.teacher(), await app.make.student());
    const before = await findSession(browser);
    app.clock.advance(DAY_MS);
    expect((await browser.post('/api/user/sign-out-elsewhere')).status).toBe(200);
    const after = await findSession(browser);
    expect(after.sid).not.toBe(before.sid);
    const { createdAt, codeShownBy, provedAt } = before;
    expect(after).toMatchObject({ createdAt, codeShownBy, provedAt });
  } finally {
    app.clock.reset();
  }
});

test('changing the password counts as a proof of identity in its session', async () => {
  const browser = await byCodeOf(await app.make.teacher(), await app.make.student());
  const passwords = { currentPassword: TEST_PASSWORD, newPassword: 'snow on the high pass' };
  expect((await browser.post('/api/user/change-password', passwords)).status).toBe(200);
  expect((await findSession(browser)).provedAt).toEqual(expect.any(Date));
});
