import { afterEach, expect, test, vi } from 'vitest';
import { callApi, fetchPage, isOtherUserError, NO_CONNECTION_MESSAGE } from './call.ts';
import { cacheResponse, etagCache } from './etag-cache.ts';
import { setPageUserId } from './page-user.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  etagCache.clear();
});

const answerWith = (text: string, status = 200) =>
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(text, { status })));

test.each(['', '<html>Welcome to the retreat house</html>', '{"id": 1'])(
  'a 200 response that is not JSON (%j) counts as a lost connection',
  async (text) => {
    answerWith(text);
    await expect(callApi('GET /api/user')).rejects.toMatchObject({
      status: 0,
      serverMessage: NO_CONNECTION_MESSAGE,
    });
  },
);

test('resolves with the parsed JSON, or rejects with the status of an error response', async () => {
  answerWith('{"message":"Done"}');
  await expect(callApi('POST /api/logout')).resolves.toEqual({ message: 'Done' });
  answerWith('<h1>Bad gateway</h1>', 502);
  await expect(callApi('POST /api/logout')).rejects.toMatchObject({ status: 502, serverMessage: null });
});

test('error messages contain the body, or the status text if the body is empty', async () => {
  const refused = '{"message":"Another level has this name."}';
  answerWith(refused, 409);
  await expect(callApi('POST /api/logout')).rejects.toMatchObject({
    message: `409: ${refused}`,
    serverMessage: 'Another level has this name.',
  });
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response('', { status: 503, statusText: 'Service Unavailable' })),
  );
  await expect(callApi('POST /api/logout')).rejects.toMatchObject({ message: '503: Service Unavailable' });
});

test.each([
  ['300', 300],
  ['0', 0],
  ['Fri, 20 Nov 2026 10:00:00 GMT', null],
  [null, null],
])('parses Retry-After only if given in seconds: %j becomes %j', async (header, retryAfter) => {
  const headers = header === null ? {} : { 'retry-after': header };
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response('{"message":"Later"}', { status: 429, headers })),
  );
  await expect(callApi('POST /api/logout')).rejects.toMatchObject({ status: 429, retryAfter });
});

test('calling the latest mutation again while it is in flight shares its request', async () => {
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  vi.stubGlobal('fetch', (url: string, { method }: { method: string }) => {
    sent.push(`${method} ${url}`);
    return new Promise((resolve) => answers.push(() => resolve(new Response('{"message":"Done"}'))));
  });
  const leave = () => callApi('DELETE /api/admin/users/{id}', { params: { id: 'tashi' } });
  const logout = () => callApi('POST /api/logout');
  const both = [leave(), leave()];
  expect(sent).toEqual(['DELETE /api/admin/users/tashi']);
  for (const answer of answers) answer();
  expect(await Promise.all(both)).toEqual([{ message: 'Done' }, { message: 'Done' }]);
  for (const again of [leave, logout, leave]) void again();
  expect(sent.slice(1)).toEqual([
    'DELETE /api/admin/users/tashi',
    'POST /api/logout',
    'DELETE /api/admin/users/tashi',
  ]);
  for (const answer of answers) answer();
});

test('a mutation repeated within ten seconds joins the request, a later one is sent', () => {
  const fetched = vi.fn(() => new Promise(() => undefined));
  vi.stubGlobal('fetch', fetched);
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  void callApi('POST /api/init');
  now.mockReturnValue(9_999);
  void callApi('POST /api/init');
  expect(fetched).toHaveBeenCalledTimes(1);
  now.mockReturnValue(10_000);
  void callApi('POST /api/init');
  expect(fetched).toHaveBeenCalledTimes(2);
});

test('calls send the id of the page’s user, even after another user id is set', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(headers['x-expected-user']);
    return Promise.resolve(new Response('{}'));
  });
  class Upload {
    status = 200;
    responseText = '{}';
    upload = {};
    onload = () => undefined;
    open = () => undefined;
    getResponseHeader = () => null;
    setRequestHeader = (name: string, value: string) => name === 'x-expected-user' && sent.push(value);
    send = () => this.onload();
  }
  vi.stubGlobal('XMLHttpRequest', Upload);
  await callApi('GET /api/user');
  setPageUserId('tashi');
  setPageUserId('pema');
  await callApi('GET /api/user');
  await callApi('POST /api/recordings', { form: { title: 'Refuge' } });
  const chunk = { params: { clientId: 'a' }, query: { start: 0 }, bytes: new Blob(['la']) };
  await callApi('PATCH /api/uploads/{clientId}', { ...chunk, onProgress: () => undefined });
  expect(sent).toEqual([undefined, 'tashi', 'tashi', 'tashi']);
});

test('recognizes by status 412 that another user is signed in', async () => {
  answerWith('{"message":"Somebody else"}', 412);
  const refused: unknown = await callApi('POST /api/logout').catch((error: unknown) => error);
  expect([isOtherUserError(refused), isOtherUserError(new Error('412'))]).toEqual([true, false]);
});

/** Fakes a server with one version of each URL. It answers 304 to clients that already have that version. */
function serverWith(versions: Record<string, { etag: string; text: string; total: number }>) {
  const sent: number[] = [];
  vi.stubGlobal('fetch', (url: string, { headers }: { headers: Record<string, string> }) => {
    const { etag, text, total } = versions[url]!;
    const status = headers['if-none-match'] === etag ? 304 : 200;
    sent.push(status);
    const said = { etag, 'x-total-count': String(total) };
    return Promise.resolve(new Response(status === 304 ? null : text, { status, headers: said }));
  });
  return sent;
}

test('an unchanged response is not sent again but read from the cache', async () => {
  const versions = { '/api/melodies': { etag: 'W/"1"', text: '[{"id":1}]', total: 1 } };
  const sent = serverWith(versions);
  const ask = () => callApi('GET /api/melodies');
  expect([await ask(), await ask(), sent]).toEqual([[{ id: 1 }], [{ id: 1 }], [200, 304]]);
  versions['/api/melodies'] = { etag: 'W/"2"', text: '[]', total: 0 };
  expect([await ask(), await ask(), sent]).toEqual([[], [], [200, 304, 200, 304]]);
});

test('a 304 for a page of a list returns the cached rows and total', async () => {
  const versions = { '/api/admin/users': { etag: 'W/"3"', text: '[{"id":"a"}]', total: 5 } };
  serverWith(versions);
  const { signal } = new AbortController();
  await fetchPage('/api/admin/users', signal);
  expect(await fetchPage('/api/admin/users', signal)).toEqual({ rows: [{ id: 'a' }], total: 5, next: null });
});

test('caches the last thirty responses, except those without an ETag', () => {
  for (let url = 0; url <= 30; url += 1) cacheResponse(String(url), 'W/"1"', 'text');
  expect(['0', '1', '30'].map((url) => etagCache.has(url))).toEqual([false, true, true]);
  cacheResponse('30', null, 'text');
  expect(etagCache.has('30')).toBe(false);
});
