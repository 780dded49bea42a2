import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { openRawConnection } from '#testing/raw-request.ts';

// The header timeout is long, so that it doesn't close connections in these tests.
const limits = { connections: 6, silentConnections: 2, headersMs: 4 * 60 * 1000 };
const app = await startTestApp({ limits });
const behindProxy = await startTestApp({ limits, beside: app, environment: { TRUST_PROXY: '1' } });

async function requestHealth(url: string) {
  const connection = openRawConnection(url);
  connection.writeRequestHead('GET', '/api/health', {});
  return { ...connection, status: (await connection.answer).status };
}

test('rejects connections beyond the limit per address until a connection closes', async () => {
  const open = [];
  for (let i = 0; i < limits.connections; i += 1) open.push(await requestHealth(app.url));
  expect(open.map(({ status }) => status)).toEqual(Array(limits.connections).fill(200));
  expect((await requestHealth(app.url)).status).toBe(0);
  open[0]!.end();
  // Retries, because the server notices the closed connection a moment later.
  let again = await requestHealth(app.url);
  while (again.status === 0) again = await requestHealth(app.url);
  expect(again.status).toBe(200);
  for (const { end } of [...open, again]) end();
});

test('closes the oldest idle connections to make room for newer connections', async () => {
  const silent = [];
  for (let i = 0; i < limits.silentConnections; i += 1) {
    const connection = openRawConnection(app.url);
    connection.write('GET /api/health HTTP/1.1\r\nhost:');
    silent.push(connection);
  }
  // Opens many silent connections, one by one. Requests in between still succeed.
  while (silent.length < 20) {
    let reply = await requestHealth(app.url);
    while (reply.status === 0) reply = await requestHealth(app.url);
    reply.end();
    silent.push(openRawConnection(app.url));
  }
  await Promise.all(silent.slice(0, -limits.silentConnections).map(({ closed }) => closed));
  for (const { end } of silent) end();
});

test('behind a proxy, connections are not limited', async () => {
  const open = [];
  for (let i = 0; i < limits.connections * 3; i += 1) open.push(await requestHealth(behindProxy.url));
  expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { end } of open) end();
});
