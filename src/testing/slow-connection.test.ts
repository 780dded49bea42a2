import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createSlowConnection, type SlowConnection } from './slow-connection.ts';

const open: { end(): unknown }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.end();
});

test('delivers complete downloads and counts their bytes', async () => {
  const connection = await connectionTo('x'.repeat(30_000));
  const answer = await fetch(connection.url);
  expect((await answer.text()).length).toBe(30_000);
  expect(connection.received()).toBeGreaterThan(30_000);
});

test('delivers data in order even at high bandwidth', async () => {
  const body = Array.from({ length: 60_000 }, (_, i) => `${i},`).join('');
  const connection = await connectionTo(body, undefined, 200_000_000);
  for (let count = 0; count < 5; count += 1)
    expect((await (await fetch(connection.url)).text()) === body).toBe(true);
});

test('cut() breaks open connections and refuses new ones until restore()', async () => {
  const connection = await connectionTo('x'.repeat(300_000));
  const answer = await fetch(connection.url);
  connection.cut();
  await expect(answer.text()).rejects.toThrow();
  await expect(fetch(connection.url)).rejects.toThrow();
  connection.restore();
  expect((await fetch(connection.url)).status).toBe(200);
});

test('delivers complete uploads and counts their bytes', async () => {
  const connection = await connectionTo('thank you', 2_000_000);
  const answer = await fetch(connection.url, { method: 'POST', body: 'x'.repeat(100_000) });
  expect(await answer.text()).toBe('thank you');
  expect(connection.sent()).toBeGreaterThan(100_000);
});

async function connectionTo(
  body: string,
  upBitsPerSecond?: number,
  bitsPerSecond = 2_000_000,
): Promise<SlowConnection> {
  const server = createServer((asked, answer) => asked.resume().on('end', () => answer.end(body))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const address = server.address() as { port: number };
  const connection = await createSlowConnection({
    to: `http://127.0.0.1:${address.port}`,
    bitsPerSecond,
    latencyMs: 5,
    ...(upBitsPerSecond && { upBitsPerSecond }),
  });
  open.push(connection, { end: () => server.close() });
  return connection;
}
