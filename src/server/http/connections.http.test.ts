import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { rawConnection } from '#testing/raw-request.ts';

// Header timeouts are not what closes connections here.
const limits = { connections: 6, silentConnections: 2, headersMs: 4 * 60 * 1000 };
const app = await startTestApp({ limits });
const behindProxy = await startTestApp({ limits, beside: app, environment: { TRUST_PROXY: '1' } });

async function asked(url: string) {
  const connection = rawConnection(url);
  connection.ask('GET', '/api/health', {});
  return { ...connection, status: (await connection.answer).status };
}

test('connections per address are limited, and closing one makes room', async () => {
  const open = [];
  for (let i = 0; i < limits.connections; i += 1) open.push(await asked(app.url));
  expect(open.map(({ status }) => status)).toEqual(Array(limits.connections).fill(200));
  expect((await asked(app.url)).status).toBe(0);
  open[0]!.end();
  // The server notices a moment later.
  let again = await asked(app.url);
  while (again.status === 0) again = await asked(app.url);
  expect(again.status).toBe(200);
  for (const { end } of [...open, again]) end();
});

test('connections without a request make way for newer ones', async () => {
  const silent = [];
  for (let i = 0; i < limits.silentConnections; i += 1) {
    const connection = rawConnection(app.url);
    connection.write('GET /api/health HTTP/1.1\r\nhost:');
    silent.push(connection);
  }
  // However many there are, a request is answered.
  while (silent.length < 20) {
    let reply = await asked(app.url);
    while (reply.status === 0) reply = await asked(app.url);
    reply.end();
    silent.push(rawConnection(app.url));
  }
  await Promise.all(silent.slice(0, -limits.silentConnections).map(({ closed }) => closed));
  for (const { end } of silent) end();
});

test('behind a proxy, from which all connections come, the limit is the proxy’s job', async () => {
  const open = [];
  for (let i = 0; i < limits.connections * 3; i += 1) open.push(await asked(behindProxy.url));
  expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { end } of open) end();
});
