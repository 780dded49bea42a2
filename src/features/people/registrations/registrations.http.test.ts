import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { registrationRequests } from '#server/db/schema.ts';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp({ environment: { TRUST_PROXY: '1' } });
const request = (body: object, address = '192.0.2.1') =>
  app.visitor().post('/api/register-request', body, { headers: { 'x-forwarded-for': address } });
const listRequestsOf = (email: string) =>
  app.db.select().from(registrationRequests).where(eq(registrationRequests.email, email));

test('a visitor’s request for access is stored as pending', async () => {
  const reply = await request({ fullName: ' Ani Lhamo ', email: 'Ani@Example.org' });
  expect(reply.status).toBe(201);
  expect(reply.body.message).toEqual(expect.any(String));
  expect(await listRequestsOf('ani@example.org')).toMatchObject([
    { fullName: 'Ani Lhamo', status: 'pending' },
  ]);
});

test('repeated requests for one email get the same response and are stored once', async () => {
  const first = await request({ fullName: 'Jampa', email: 'jampa@example.org' });
  const again = await Promise.all(
    [1, 2, 3].map(() => request({ fullName: 'J', email: 'JAMPA@example.org' })),
  );
  for (const reply of again) expect([reply.status, reply.body]).toEqual([201, first.body]);
  expect(await listRequestsOf('jampa@example.org')).toHaveLength(1);
});

test('a request for an email with an account gets the usual response but isn’t stored', async () => {
  const student = await app.make.student();
  const known = await request({ fullName: 'Somebody', email: student.email });
  const unknown = await request({ fullName: 'Somebody', email: 'nobody@example.org' });
  expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  expect(await listRequestsOf(student.email)).toEqual([]);
});

test('an invalid name or email returns an error for its field', async () => {
  const reply = await request({ fullName: '', email: 'not an address' });
  expect(reply.status).toBe(400);
  expect(reply.body.issues.map((issue: { path: string }) => issue.path)).toEqual(['fullName', 'email']);
  expect((await request({ fullName: 'N\0l', email: 'nul@example.org' })).status).toBe(400);
  expect((await request({ fullName: 'x'.repeat(101), email: 'long@example.org' })).status).toBe(400);
});

test('rejects the sixth request for an email within an hour', async () => {
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

test('accepts up to 300 requests per hour from one IP address', async () => {
  const address = '203.0.113.77';
  const ask = (i: number, from = address) =>
    request({ fullName: 'Somebody', email: `somebody.${i}@example.org` }, from);
  // The last requests are concurrent, because a burst must not exceed the limit.
  await app.make.attempts({ kind: 'registration', address, count: 280 });
  const burst = await Promise.all(Array.from({ length: 23 }, (_, i) => ask(200 + i)));
  expect(burst.filter(({ status }) => status === 201)).toHaveLength(20);
  const refused = burst.filter(({ status }) => status === 429);
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['3600', '3600', '3600']);
  expect((await ask(400, '203.0.113.78')).status).toBe(201);
  try {
    app.clock.advance(61 * 60 * 1000);
    expect((await ask(401)).status).toBe(201);
  } finally {
    app.clock.reset();
  }
});

test('rejects a name that looks like the community’s or a teacher’s name', async () => {
  await app.make.teacher({ firstName: 'Pema', lastName: 'Chökyi' });
  for (const [i, fullName] of [
    'Khandro-la',
    'КНАNDRО LA',
    'Y a n g c h e n',
    'Реmа Сһökуі',
    'Pema Chokyi',
  ].entries()) {
    const reply = await request({ fullName, email: `disguised.${i}@example.org` });
    expect([fullName, reply.status]).toEqual([fullName, 400]);
  }
  const namesake = await request({ fullName: 'Pema Chökyi', email: 'namesake@example.org' });
  expect(namesake.status).toBe(201);
});

test('rejects a name in mixed scripts, and removes invisible characters from a name', async () => {
  const mixed = await request({ fullName: 'Tаshi Dolma', email: 'mixed@example.org' });
  expect([mixed.status, mixed.body.issues]).toEqual([
    400,
    [{ path: 'fullName', message: expect.stringContaining('different alphabets') as string }],
  ]);
  await request({ fullName: 'Ta\u200bshi\u2060 Dol\u00adma', email: 'unseen@example.org' });
  expect(await listRequestsOf('unseen@example.org')).toMatchObject([{ fullName: 'Tashi Dolma' }]);
});
