import { describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#testing/app.ts';

const direct = await startTestApp();
const onHttps = await startTestApp({ beside: direct, environment: { PUBLIC_URL: 'https://songs.example' } });
const behindProxy = await startTestApp({ beside: direct, environment: { TRUST_PROXY: '1' } });

const HERE = 'localhost:3000';
const forwarded = (proto: string) => ({ 'x-forwarded-host': 'songs.example', 'x-forwarded-proto': proto });

/** Sends a state-changing request with this Host header. */
const postWithHost = ({ app }: TestApp, host: string, headers: Record<string, string>) =>
  app.inject({ method: 'POST', url: '/api/logout', headers: { host, ...headers } });

describe('pages and clients that may make changes', () => {
  test.each([
    [HERE, 'http://localhost:3000'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['192.168.1.20:3000', 'http://192.168.1.20:3000'],
    ['songs.example', 'http://songs.example'],
    ['SONGS.example:80', 'http://songs.example'],
  ])('accepts changes from our own page at %s', async (host, origin) => {
    for (const site of ['same-origin', 'none', undefined]) {
      const reply = await postWithHost(direct, host, { origin, ...(site && { 'sec-fetch-site': site }) });
      expect(reply.statusCode, site).toBe(200);
    }
  });

  test('accepts changes from our page behind a proxy, even without forwarded headers', async () => {
    const origin = 'https://songs.example';
    expect((await postWithHost(behindProxy, HERE, { origin, ...forwarded('https') })).statusCode).toBe(200);
    expect((await postWithHost(onHttps, 'songs.example', { origin })).statusCode).toBe(200);
    expect((await postWithHost(onHttps, 'songs.example:443', { origin })).statusCode).toBe(200);
    // This request comes from the same machine and bypasses the proxy.
    expect((await postWithHost(onHttps, HERE, { origin: 'http://localhost:3000' })).statusCode).toBe(200);
  });

  test('accepts changes from a client that is not a browser', async () => {
    expect((await postWithHost(direct, HERE, {})).statusCode).toBe(200);
  });
});

describe('pages of other sites', () => {
  const foreign: [string, TestApp, string, Record<string, string>][] = [
    ['another domain', direct, HERE, { origin: 'https://evil.example' }],
    ['an opaque origin', direct, HERE, { origin: 'null' }],
    ['a malformed origin', direct, HERE, { origin: 'localhost:3000' }],
    ['another port', direct, HERE, { origin: 'http://localhost:3001' }],
    ['the default port instead of ours', direct, HERE, { origin: 'http://localhost' }],
    ['another scheme', direct, HERE, { origin: 'https://localhost:3000' }],
    ['another scheme on its default port', direct, 'songs.example', { origin: 'https://songs.example' }],
    ['another name of the same machine', direct, HERE, { origin: 'http://127.0.0.1:3000' }],
    ['a sibling domain', direct, 'songs.example', { origin: 'http://evil.songs.example' }],
    ['http, although our public URL is https', onHttps, 'songs.example', { origin: 'http://songs.example' }],
    ['our public URL, but under another host name', onHttps, HERE, { origin: 'https://songs.example' }],
    [
      'http, although users reach the proxy by https',
      behindProxy,
      HERE,
      { origin: 'http://songs.example', ...forwarded('https') },
    ],
    [
      'https, although users reach the proxy by http',
      behindProxy,
      HERE,
      { origin: 'https://songs.example', ...forwarded('http') },
    ],
    [
      'the internal host behind the proxy',
      behindProxy,
      HERE,
      { origin: `http://${HERE}`, ...forwarded('https') },
    ],
    [
      'forwarding headers without a trusted proxy',
      direct,
      HERE,
      { origin: 'https://songs.example', ...forwarded('https') },
    ],
    ['another site, without an Origin header', direct, HERE, { 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain, without an Origin header', direct, HERE, { 'sec-fetch-site': 'same-site' }],
    [
      'another site, with our Origin header',
      direct,
      HERE,
      { origin: `http://${HERE}`, 'sec-fetch-site': 'cross-site' },
    ],
  ];
  test.each(foreign)('rejects changes from a foreign page: %s', async (_, app, host, headers) => {
    const reply = await postWithHost(app, host, headers);
    expect([reply.statusCode, reply.json()]).toEqual([403, { message: 'Forbidden' }]);
  });

  test('accepts a GET request that comes from a link on another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', referer: 'https://mail.example/' };
    const client = await direct.as(await direct.make.student());
    expect((await client.get('/api/user', { headers })).status).toBe(200);
  });
});
