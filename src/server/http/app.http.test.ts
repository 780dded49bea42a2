import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { openLog } from '../log.ts';
import { mountPage } from './page.ts';

const template = '<title>__APP_NAME__</title><!--page-head--><body nonce="__NONCE__"><!--page-data--></body>';
const app = await startTestApp({
  prepare: ({ app: server, identify }) =>
    mountPage(
      server,
      () => Promise.resolve(template + '<p></p>'.repeat(200)),
      identify,
      ({ path, request: { caller } }) =>
        Promise.resolve({
          settings: {
            appName: 'Song & <b>',
            tagline: 't',
            teacherTitle: 'K',
            sendsMail: true,
            passkeyOrigin: null,
          },
          answers: {
            '/api/user': caller?.username ?? null,
            path,
            evil: '</script><script>alert(1)</script>',
          },
          images: ['/api/files/a.webp?type=image'],
          fonts: [],
          rootClass: '',
          modules: ['/assets/a.js'],
          title: null,
        }),
      { develop: false, render: null, position: () => null, log: openLog('fatal') },
    ),
});
const ending = await startTestApp();

test('a page whose URL contains a token sends at most its origin as a referrer', async () => {
  const policyOf = async (path: string) => (await app.visitor().get(path)).headers.get('referrer-policy');
  expect(await policyOf('/reset-password?token=of-the-mail')).toBe('strict-origin');
  expect(await policyOf('/melodies')).toBe('same-origin');
});

test('an unknown API path returns a JSON 404 for every method', async () => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const reply = await app.visitor().send(method, '/api/nothing');
    expect([reply.status, reply.body], method).toEqual([404, { message: 'Not found' }]);
  }
  expect((await app.visitor().get('/api')).body).toEqual({ message: 'Not found' });
  expect((await app.visitor().get('/assets/old-build.js')).body).toEqual({ message: 'Not found' });
  expect((await app.visitor().post('/somewhere')).body).toEqual({ message: 'Not found' });
});

test.each(['/apple-icon.png', '/manifest.json', '/robots.txt', '/admin/users.json', '/.env', '/a.b%20c'])(
  'the missing file %s returns 404, not the HTML page',
  async (path) => {
    for (const client of [app.visitor(), await app.as(await app.make.student())]) {
      const reply = await client.get(path);
      expect([reply.status, reply.body]).toEqual([404, { message: 'Not found' }]);
      expect((await client.send('HEAD', path)).status).toBe(404);
    }
    expect((await app.visitor().get('/melodies?q=a.b')).status).toBe(200);
    expect((await app.visitor().get('/v1.2/melodies')).status).toBe(200);
  },
);

test('accepts HEAD for GET endpoints, except for event streams', async () => {
  const client = await app.as(await app.make.student());
  expect((await client.send('HEAD', '/api/events')).status).toBe(404);
  expect((await client.send('HEAD', '/api/user')).status).toBe(200);
});

test('a path outside the API returns the HTML page with a fresh nonce and escaped data', async () => {
  const client = await app.as(await app.make.student({ username: 'on.page' }));
  const reply = await client.get('/past-recordings?x=1');
  expect(reply.status).toBe(200);
  const html = reply.body as string;
  const nonce = /nonce="([^"]+)"/.exec(html)?.[1];
  const policy = reply.headers.get('content-security-policy')!;
  expect(policy).toContain(`script-src 'self' 'nonce-${nonce}'`);
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("default-src 'none'");
  expect(html).toContain('<title>Song &#38; &#60;b&#62;</title>');
  expect(html).not.toContain('<script>alert');
  const data = /<script type="application\/json"[^>]*>(.*?)<\/script>/.exec(html)?.[1];
  expect(JSON.parse(data!)).toMatchObject({ answers: { '/api/user': 'on.page', path: '/past-recordings' } });
  expect(html).toContain(
    '<link rel="preload" as="image" href="/api/files/a.webp?type=image" fetchpriority="high">',
  );
  expect(reply.headers.get('cache-control')).toBe('no-store');
  // The page is compressed, because Node's fetch requests compression, as browsers do.
  expect(reply.headers.get('content-encoding')).toBe('gzip');
  const again = /nonce="([^"]+)"/.exec((await client.get('/')).body as string)?.[1];
  expect(again).not.toBe(nonce);
});

test('pages may use the microphone, but no other sensitive feature', async () => {
  const policy = (await app.visitor().get('/')).headers.get('permissions-policy')!;
  expect(policy).toContain('microphone=(self)');
  for (const other of ['camera', 'geolocation', 'display-capture']) expect(policy).toContain(`${other}=()`);
});

test('rejects malformed or oversized JSON without revealing the parser’s message', async () => {
  const json = { headers: { 'content-type': 'application/json' } };
  const broken = await app.visitor().send('POST', '/api/login', '{"username":', json);
  expect([broken.status, broken.body]).toEqual([
    400,
    { message: 'Something went wrong with this request. Please reload the page and try again.' },
  ]);
  const large = await app
    .visitor()
    .send('POST', '/api/login', JSON.stringify({ username: 'x'.repeat(2_000_000) }), json);
  expect(large.status).toBe(413);
  const other = await app
    .visitor()
    .send('POST', '/api/login', 'username=a', { headers: { 'content-type': 'text/plain' } });
  expect(other.status).toBe(415);
  const prototype = await app
    .visitor()
    .send('POST', '/api/login', '{"__proto__":{"username":"a"},"password":"b"}', json);
  expect(prototype.status).toBe(400);
});

test('a NUL character in a request never causes a server error', async () => {
  const teacher = await app.as(await app.make.teacher());
  expect((await teacher.get('/api/admin/users?q=%00')).status).toBe(400);
  expect((await app.visitor().post('/api/login', { username: 'a\0', password: 'b' })).status).toBe(400);
  const client = app.visitor();
  client.cookies.set('session', '%00');
  expect((await client.get('/api/user')).status).toBe(401);
});

test('a malformed URL or non-HTTP request gets an error in the usual JSON format', async () => {
  for (const path of ['/api/%zz', '/%zz', `/api/files/${'a'.repeat(350)}?type=audio`]) {
    const reply = await app.visitor().get(path);
    expect([reply.status, reply.body], path).toEqual([404, { message: 'Not found' }]);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  }
  const raw = await new Promise<string>((resolve) => {
    let said = '';
    const line = connect(Number(new URL(app.url).port), '127.0.0.1', () => line.end('nonsense\r\n\r\n'));
    line.on('data', (part) => (said += part.toString())).on('close', () => resolve(said));
  });
  expect(raw).toMatch(/^HTTP\/1\.1 400 /);
  expect(raw).toContain(
    '{"message":"Something went wrong with this request. Please reload the page and try again."}',
  );
});

test('a shutdown finishes requests in flight and closes idle connections', async () => {
  const student = await ending.make.student();
  const client = await ending.as(student);
  const boundary = 'slow';
  const answered = new Promise<number>((resolve, reject) => {
    const upload = request(
      `${ending.url}/api/recordings`,
      {
        method: 'POST',
        headers: {
          cookie: `session=${client.cookies.get('session')}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
      },
      (reply) => resolve(reply.statusCode ?? 0),
    );
    upload.on('error', reject);
    upload.write(
      `--${boundary}\r\ncontent-disposition: form-data; name="title"\r\n\r\nSlow\r\n--${boundary}\r\n`,
    );
    setTimeout(
      () => upload.end(`content-disposition: form-data; name="message"\r\n\r\nlate\r\n--${boundary}--\r\n`),
      300,
    );
  });
  // An unused connection and an event stream, which must not hold up the shutdown.
  const silent = connect(Number(new URL(ending.url).port), '127.0.0.1').on('error', () => undefined);
  const stream = await client.stream('/api/events');
  await new Promise((resolve) => setTimeout(resolve, 100));
  await ending.app.close();
  await stream.ended;
  silent.destroy();
  expect(await answered).toBe(400);
  const refused = await new Promise((resolve) => {
    connect(Number(new URL(ending.url).port), '127.0.0.1')
      .on('error', () => resolve('refused'))
      .on('connect', () => resolve('taken'));
  });
  expect(refused).toBe('refused');
});
