import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { mails } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp({ environment: { TRUST_PROXY: '1' } });
const HOUR = 60 * 60 * 1000;
const SENTENCE = { message: "If an account with that email exists, we've sent a password reset link." };

let lastAddress = 0;
const request = (email: string, address = `10.0.${(lastAddress += 1)}.1`) =>
  app.visitor().post('/api/password-reset/request', { email }, { headers: { 'x-forwarded-for': address } });
const confirm = (token: string) =>
  app.visitor().post('/api/password-reset/confirm', { token, newPassword: 'a-lotus-of-my-own' });

const mailsTo = (user: { id: string }) =>
  app.db
    .select()
    .from(mails)
    .where(and(eq(mails.userId, user.id), eq(mails.kind, 'password-reset')))
    .orderBy(mails.id);

test('rejects the sixth reset request for one email from one IP address within an hour', async () => {
  const student = await app.make.student();
  try {
    for (const [i, email] of [student.email, 'nobody-again@example.org'].entries()) {
      const address = `203.0.113.${80 + i}`;
      const burst = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => request(email, address)));
      expect(burst.filter(({ status }) => status === 200)).toHaveLength(5);
      const refused = burst.find(({ status }) => status === 429)!;
      expect(refused.headers.get('retry-after')).toBe('3600');
      expect(refused.body).toEqual({ message: 'Too many requests. Please try again in an hour.' });
      app.clock.advance(HOUR + 1000);
      expect((await request(email, address)).status).toBe(200);
    }
  } finally {
    app.clock.reset();
  }
});

test('reset requests from many IP addresses can’t flood a mailbox or block its owner', async () => {
  const student = await app.make.student();
  try {
    for (let i = 0; i < 8; i += 1) {
      const reply = await request(student.email);
      expect([reply.status, reply.body]).toEqual([200, SENTENCE]);
    }
    await app.idle();
    expect(await mailsTo(student)).toHaveLength(5);
    // The last emailed link still works, and new links can be requested an hour later.
    const [, token] = /token=([\w-]+)/.exec((await mailsTo(student)).at(-1)!.text!)!;
    app.clock.advance(HOUR + 1000);
    await request(student.email);
    await app.idle();
    expect(await mailsTo(student)).toHaveLength(6);
    expect((await confirm(token!)).status).toBe(200);
  } finally {
    app.clock.reset();
  }
});

test('an IP address may send 300 reset requests an hour', async () => {
  const address = '203.0.113.77';
  await app.make.attempts({ kind: 'password-reset', address, count: 299 });
  expect((await request('the-300th@example.org', address)).status).toBe(200);
  expect((await request('one-more@example.org', address)).status).toBe(429);
  expect((await request('one-more@example.org')).status).toBe(200);
});
