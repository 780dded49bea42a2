import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { registrationRequests } from '../../db/schema.ts';
import { startTestApp } from '../../testing/app.ts';

const app = await startTestApp({ environment: { TRUST_PROXY: '1' } });
const request = (body: object, address = '192.0.2.1') =>
  app.visitor().post('/api/register-request', body, { headers: { 'x-forwarded-for': address } });
const waiting = (email: string) =>
  app.db.select().from(registrationRequests).where(eq(registrationRequests.email, email));

test('a visitor asks for access and the request waits', async () => {
  const reply = await request({ fullName: ' Ani Lhamo ', email: 'Ani@Example.org' });
  expect(reply.status).toBe(201);
  expect(reply.body.message).toEqual(expect.any(String));
  expect(await waiting('ani@example.org')).toMatchObject([{ fullName: 'Ani Lhamo', status: 'pending' }]);
});

test('asking again, also at the same moment, makes no second request and is answered alike', async () => {
  const first = await request({ fullName: 'Jampa', email: 'jampa@example.org' });
  const again = await Promise.all(
    [1, 2, 3].map(() => request({ fullName: 'J', email: 'JAMPA@example.org' })),
  );
  for (const reply of again) expect([reply.status, reply.body]).toEqual([201, first.body]);
  expect(await waiting('jampa@example.org')).toHaveLength(1);
});

test('an email that has an account is answered like any other, and nothing is stored', async () => {
  const student = await app.make.student();
  const known = await request({ fullName: 'Somebody', email: student.email });
  const unknown = await request({ fullName: 'Somebody', email: 'nobody@example.org' });
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  expect(await waiting(student.email)).toEqual([]);
});

test('a name or an email that cannot be one is refused with its field', async () => {
  const reply = await request({ fullName: '', email: 'not an address' });
  expect(reply.status).toBe(400);
  expect(reply.body.issues.map((issue: { path: string }) => issue.path)).toEqual(['fullName', 'email']);
  expect((await request({ fullName: 'N\0l', email: 'nul@example.org' })).status).toBe(400);
  expect((await request({ fullName: 'x'.repeat(101), email: 'long@example.org' })).status).toBe(400);
});

test('the sixth request for one email within an hour is refused until the hour has passed', async () => {
  const ask = () => request({ fullName: 'Again', email: 'again@example.org' });
  for (let i = 0; i < 5; i += 1) expect((await ask()).status).toBe(201);
  const sixth = await ask();
  expect(sixth.status).toBe(429);
  expect(sixth.headers.get('retry-after')).toBe('3600');
  try {
    app.clock.advance(61 * 60 * 1000);
    expect((await ask()).status).toBe(201);
  } finally {
    app.clock.reset();
  }
});

test('one address may ask 300 times an hour', async () => {
  const address = '203.0.113.77';
  const ask = (name: string, from = address) =>
    request({ fullName: 'Stranger', email: `${name}@example.org` }, from);
  for (let i = 0; i < 300; i += 50) {
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => ask(`stranger${i + at}`)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
  }
  expect((await ask('one-more')).status).toBe(429);
  expect((await ask('one-more', '203.0.113.78')).status).toBe(201);
});
