import { expect, test } from 'vitest';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { startTestApp } from '#testing/app.ts';
import { createTone } from '#testing/tone.ts';

const environment = { TRUST_PROXY: '1' };
const app = await startTestApp({ environment });
const other = await startTestApp({ environment, beside: app });
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const signIn = (client = app.visitor(), username = '', password = TEST_PASSWORD, address = '192.0.2.1') =>
  client.post('/api/login', { username, password }, from(address));

test('a student signs in with the username or the email, ignoring case', async () => {
  const student = await app.make.student({ username: 'tashi.one' });
  for (const name of ['tashi.one', 'TASHI.One', student.email.toUpperCase(), ` ${student.username} `]) {
    const browser = app.visitor();
    const reply = await signIn(browser, name);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      id: student.id,
      username: 'tashi.one',
      role: 'student',
      isActive: true,
    });
    expect(reply.body).not.toHaveProperty('password');
    expect((await browser.get('/api/user')).body.id).toBe(student.id);
  }
});

test('the session cookie is hidden from scripts and stored only as a hash', async () => {
  const student = await app.make.student();
  const browser = app.visitor();
  const reply = await signIn(browser, student.username);
  const cookie = reply.headers.getSetCookie().find((line) => line.startsWith('session='));
  expect(cookie).toMatch(/HttpOnly/);
  expect(cookie).toMatch(/SameSite=Lax/);
  expect(cookie).toMatch(/Path=\//);
  expect(cookie).not.toMatch(/Secure/);
  const { rows } = await app.db.execute('select sid from sessions');
  expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('session'));
});

test('a wrong name and a wrong password get the same response', async () => {
  const student = await app.make.student();
  const wrongPassword = await signIn(app.visitor(), student.username, 'not-it');
  const wrongName = await signIn(app.visitor(), 'nobody-at-all');
  expect(wrongPassword.status).toBe(401);
  expect(wrongPassword.body).toEqual({ message: 'Invalid username or password' });
  expect(wrongName.status).toBe(401);
  expect(wrongName.body).toEqual(wrongPassword.body);
});

test('a sign-in with missing fields returns an error for each field', async () => {
  const reply = await app.visitor().post('/api/login', { username: ' ', password: '' });
  expect(reply.status).toBe(400);
  expect(reply.body.issues).toEqual([
    { path: 'username', message: 'Username is required' },
    { path: 'password', message: 'Password is required' },
  ]);
});

test('sign-in reports a disabled account only if the password is right', async () => {
  const student = await app.make.student();
  await app.make.disable(student);
  const right = await signIn(app.visitor(), student.username);
  expect(right.status).toBe(403);
  expect(right.body).toEqual({ message: 'This account has been disabled. Please contact your teacher.' });
  expect((await signIn(app.visitor(), student.username, 'wrong')).status).toBe(401);
});

test('signing out ends the session on the server too', async () => {
  const student = await app.make.student();
  const browser = app.visitor();
  await signIn(browser, student.username);
  const stolen = app.visitor();
  stolen.cookies.set('session', browser.cookies.get('session')!);
  expect((await browser.post('/api/logout')).status).toBe(200);
  expect((await browser.get('/api/user')).status).toBe(401);
  expect((await stolen.get('/api/user')).status).toBe(401);
});

test('the sign-out link ends the session, unless another site has linked to it', async () => {
  const browser = await app.as(await app.make.student());
  const open = async (headers: Record<string, string>) => {
    const reply = await browser.get('/api/logout', { headers });
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/auth']);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    return (await browser.get('/api/user')).status;
  };
  for (const site of ['cross-site', 'same-site'])
    expect(await open({ 'sec-fetch-site': site }), site).toBe(200);
  // The server also checks the referrer, because some browsers don't send Sec-Fetch-Site.
  for (const referer of ['https://evil.example/', 'https://evil.example/?' + app.url, 'about:blank', '%'])
    expect(await open({ referer }), referer).toBe(200);
  expect(await open({ 'sec-fetch-site': 'none', referer: 'https://evil.example/' })).toBe(200);

  for (const headers of [
    { 'sec-fetch-site': 'same-origin', referer: `${app.url}/melodies` },
    { referer: `${app.url}/melodies` },
    // The URL was typed into the address bar.
    { 'sec-fetch-site': 'none' },
    {},
  ]) {
    browser.cookies.set('session', (await app.as(await app.make.student())).cookies.get('session')!);
    expect(await open(headers), JSON.stringify(headers)).toBe(401);
  }
});

test('a session signed out while offline ends at the browser’s next request', async () => {
  const student = await app.make.student();
  const ask = ['/', '/api/user', '/api/melodies', '/api/health', '/api/logout'];
  for (const path of ask) {
    const browser = await app.as(student);
    const other = app.visitor();
    other.cookies.set('session', browser.cookies.get('session')!);
    browser.cookies.set('signed-out', student.id);
    const reply = await browser.get(path);
    expect(reply.bytes.toString(), path).not.toContain(student.email);
    expect(reply.headers.get('clear-site-data'), path).toBe('"cache"');
    expect(browser.cookies.has('signed-out'), path).toBe(false);
    expect((await other.get('/api/user')).status, path).toBe(401);
  }
});

test('rejects a recording from a user who signed out while offline', async () => {
  const student = await app.make.student();
  const browser = await app.as(student);
  browser.cookies.set('signed-out', student.id);
  const audio = { bytes: createTone(1), name: 'take.wav' };
  expect((await browser.form('/api/recordings', { title: 'Waited', audio })).status).toBe(401);
  expect((await (await app.as(student)).get('/api/student/recordings')).body).toEqual([]);
});

test('signing in as another user ends the session that was signed out while offline', async () => {
  const [first, second] = [await app.make.student(), await app.make.student()];
  const browser = await app.as(first);
  const former = app.visitor();
  former.cookies.set('session', browser.cookies.get('session')!);
  browser.cookies.set('signed-out', first.id);
  expect((await signIn(browser, second.username)).status).toBe(200);
  expect(browser.cookies.has('signed-out')).toBe(false);
  expect((await browser.get('/api/user')).body.id).toBe(second.id);
  expect((await former.get('/api/user')).status).toBe(401);
});

test('another user’s offline sign-out does not end the session', async () => {
  const [first, second] = [await app.make.student(), await app.make.student()];
  const browser = await app.as(second);
  browser.cookies.set('signed-out', first.id);
  expect((await browser.get('/api/user')).body.id).toBe(second.id);
  expect(browser.cookies.has('signed-out')).toBe(false);
});

test('the redirect to the sign-in page is not cached', async () => {
  const reply = await app.visitor().get('/api/login');
  expect([reply.status, reply.headers.get('location')]).toEqual([302, '/auth']);
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

test('signing out clears the browser’s cache, but not its stored data', async () => {
  const student = await app.make.student();
  const byPage = await (await app.as(student)).post('/api/logout');
  const byLink = await (await app.as(student)).get('/api/logout');
  for (const reply of [byPage, byLink]) expect(reply.headers.get('clear-site-data')).toBe('"cache"');
  const foreign = await (
    await app.as(student)
  ).get('/api/logout', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(foreign.headers.get('clear-site-data')).toBeNull();
});

test('a session lasts 30 days from its last use', async () => {
  const day = 24 * 60 * 60 * 1000;
  try {
    const browser = await app.as(await app.make.student());
    app.clock.advance(29 * day);
    const prolonged = await browser.get('/api/user');
    expect(prolonged.status).toBe(200);
    expect(prolonged.headers.getSetCookie().join()).toMatch(/session=.*Max-Age=2592000/);
    app.clock.advance(29 * day);
    expect((await browser.get('/api/user')).status).toBe(200);
    app.clock.advance(31 * day);
    expect((await browser.get('/api/user')).status).toBe(401);
  } finally {
    app.clock.reset();
  }
});

test('ten failed sign-ins block a username at the same IP address for 15 minutes', async () => {
  const student = await app.make.student();
  const address = '198.51.100.7';
  try {
    // The attempts are concurrent, because a burst must not exceed the limit.
    const burst = await Promise.all(
      Array.from({ length: 14 }, () => signIn(app.visitor(), student.username, 'guess', address)),
    );
    expect(burst.filter((reply) => reply.status === 401)).toHaveLength(10);
    expect(burst.filter((reply) => reply.status === 429)).toHaveLength(4);
    const right = await signIn(app.visitor(), student.username, TEST_PASSWORD, address);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    // The same user can sign in from another address, and other users from the blocked address.
    expect((await signIn(app.visitor(), student.username, TEST_PASSWORD, '198.51.100.8')).status).toBe(200);
    expect(
      (await signIn(app.visitor(), (await app.make.student()).username, TEST_PASSWORD, address)).status,
    ).toBe(200);
    app.clock.advance(15 * 60 * 1000 + 1000);
    expect((await signIn(app.visitor(), student.username, TEST_PASSWORD, address)).status).toBe(200);
  } finally {
    app.clock.reset();
  }
});

test('counts failed sign-ins from all addresses of an IPv6 /64 together', async () => {
  const { username } = await app.make.student();
  for (let i = 1; i <= 10; i += 1)
    await signIn(app.visitor(), username, 'guess', `2001:db8:0:1::${i.toString(16)}`);
  expect((await signIn(app.visitor(), username, TEST_PASSWORD, '2001:db8:0:1:ffff::1')).status).toBe(429);
  expect((await signIn(app.visitor(), username, TEST_PASSWORD, '2001:db8:0:2::1')).status).toBe(200);
});

test('guessing passwords does not reveal which email belongs to a username', async () => {
  const student = await app.make.student();
  const unknown = `${crypto.randomUUID()}@example.org`;
  const address = '198.51.100.40';
  for (let i = 0; i < 10; i += 1)
    expect((await signIn(app.visitor(), student.username, 'guess', address)).status).toBe(401);
  expect((await signIn(app.visitor(), student.username, 'guess', address)).status).toBe(429);
  // The same user's email and an unknown email get the same responses, each with its own limit.
  for (const email of [student.email, unknown]) {
    const replies = [];
    for (let i = 0; i < 12; i += 1) replies.push(await signIn(app.visitor(), email, 'guess', address));
    expect(replies.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429, 429]);
    expect(replies[0]!.body).toEqual({ message: 'Invalid username or password' });
  }
});

test('slowing down sign-ins by username does not affect sign-ins by email', async () => {
  const { username, email } = await app.make.student();
  for (let i = 0; i < 50; i += 1) await signIn(app.visitor(), username, 'guess', `10.2.${i}.1`);
  expect((await signIn(app.visitor(), username, 'guess', '10.9.8.1')).status).toBe(429);
  expect((await signIn(app.visitor(), email, 'guess', '10.9.8.1')).status).toBe(401);
});

test('counts sign-in attempts for a name regardless of case and surrounding spaces', async () => {
  const { username, email } = await app.make.student();
  const address = '198.51.100.41';
  for (const name of [username, email]) {
    for (const typed of [name, name.toUpperCase(), ` ${name} `, name.toUpperCase(), name])
      for (let i = 0; i < 2; i += 1)
        expect((await signIn(app.visitor(), typed, 'guess', address)).status).toBe(401);
    expect((await signIn(app.visitor(), name, TEST_PASSWORD, address)).status).toBe(429);
  }
});

test('replaces a device id that we did not issue', async () => {
  const student = await app.make.student();
  const browser = app.visitor();
  browser.cookies.set('device', 'planted');
  await signIn(browser, student.username);
  expect(browser.cookies.get('device')).not.toBe('planted');
  const given = browser.cookies.get('device');
  await signIn(browser, student.username);
  expect(browser.cookies.get('device')).toBe(given);
});

test('a hundred failed sign-ins from one IP address block the address for every name', async () => {
  const address = '203.0.113.9';
  const guesses = Array.from({ length: 100 }, (_, i) =>
    signIn(app.visitor(), `nobody${i}`, 'guess', address),
  );
  await Promise.all(guesses);
  expect(
    (await signIn(app.visitor(), (await app.make.student()).username, TEST_PASSWORD, address)).status,
  ).toBe(429);
});

test('guesses from many IP addresses slow down only unknown devices', async () => {
  const student = await app.make.student();
  const own = app.visitor();
  await signIn(own, student.username, TEST_PASSWORD, '203.0.113.50');
  for (let i = 0; i < 50; i += 1) await signIn(app.visitor(), student.username, 'guess', `10.1.${i}.1`);
  const stranger = await signIn(app.visitor(), student.username, TEST_PASSWORD, '10.9.9.9');
  expect(stranger.status).toBe(429);
  expect(Number(stranger.headers.get('retry-after'))).toBeLessThanOrEqual(10);
  expect((await signIn(own, student.username, TEST_PASSWORD, '203.0.113.51')).status).toBe(200);
  try {
    app.clock.advance(11_000);
    expect((await signIn(app.visitor(), student.username, TEST_PASSWORD, '10.9.9.10')).status).toBe(200);
  } finally {
    app.clock.reset();
  }
});

test('two servers on one database share the sign-in limits', async () => {
  const { username } = await app.make.student();
  const address = '198.51.100.90';
  const guess = (server: { visitor: typeof app.visitor }) =>
    signIn(server.visitor(), username, 'guess', address);
  const burst = await Promise.all(Array.from({ length: 14 }, (_, i) => guess(i % 2 === 0 ? app : other)));
  expect(burst.filter(({ status }) => status === 401)).toHaveLength(10);
  expect(burst.filter(({ status }) => status === 429)).toHaveLength(4);
  for (const server of [app, other])
    expect((await signIn(server.visitor(), username, TEST_PASSWORD, address)).status).toBe(429);
  expect((await signIn(other.visitor(), username, TEST_PASSWORD, '198.51.100.91')).status).toBe(200);
});
