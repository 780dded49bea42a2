import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { thinLine, type ThinLine } from './thin-line.ts';

const open: { end(): unknown }[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.end();
});

test('everything arrives, later and in its order, and is counted', async () => {
  const line = await lineTo('x'.repeat(30_000));
  const answer = await fetch(line.url);
  expect((await answer.text()).length).toBe(30_000);
  expect(line.received()).toBeGreaterThan(30_000);
});

test('on a wide line, too, nothing overtakes what went before it', async () => {
  const body = Array.from({ length: 60_000 }, (_, i) => `${i},`).join('');
  const line = await lineTo(body, undefined, 200_000_000);
  for (let count = 0; count < 5; count += 1)
    expect((await (await fetch(line.url)).text()) === body).toBe(true);
});

test('a cut line breaks what is under way and takes nothing new until it is mended', async () => {
  const line = await lineTo('x'.repeat(300_000));
  const answer = await fetch(line.url);
  line.cut();
  await expect(answer.text()).rejects.toThrow();
  await expect(fetch(line.url)).rejects.toThrow();
  line.mend();
  expect((await fetch(line.url)).status).toBe(200);
});

test('what goes up a thin line arrives whole, and is counted', async () => {
  const line = await lineTo('thank you', 2_000_000);
  const answer = await fetch(line.url, { method: 'POST', body: 'x'.repeat(100_000) });
  expect(await answer.text()).toBe('thank you');
  expect(line.sent()).toBeGreaterThan(100_000);
});

async function lineTo(body: string, upBitsPerSecond?: number, bitsPerSecond = 2_000_000): Promise<ThinLine> {
  const server = createServer((asked, answer) => asked.resume().on('end', () => answer.end(body))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const address = server.address() as { port: number };
  const line = await thinLine({
    to: `http://127.0.0.1:${address.port}`,
    bitsPerSecond,
    latencyMs: 5,
    ...(upBitsPerSecond && { upBitsPerSecond }),
  });
  open.push(line, { end: () => server.close() });
  return line;
}
