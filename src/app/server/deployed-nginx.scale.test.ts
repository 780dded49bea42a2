import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, inject, test } from 'vitest';
import { startNginx } from '#testing/nginx.ts';

const servers: Server[] = [];
const proxy = inject('nginxMissing')
  ? null
  : await startNginx([await served('first'), await served('second')], null, { takeTurns: false });
afterAll(async () => {
  await proxy?.end();
  for (const server of servers) server.close();
});

async function served(name: string) {
  const server = createServer((_, response) => response.end(name)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each(['/metrics', '/metrics/', '//metrics', '/metrics//', '/%6detrics/', '/assets/../metrics/'])(
  'nginx does not forward requests for the internal path %s',
  async (path) => {
    const { port } = new URL(proxy!.url);
    // Uses node:http, because fetch would normalize the path.
    const [reply] = (await once(get({ host: '127.0.0.1', port, path }), 'response')) as [IncomingMessage];
    reply.resume();
    expect(reply.statusCode).toBe(404);
  },
);

const servedBy = async (cookie?: string) =>
  (await fetch(proxy!.url, { headers: cookie === undefined ? {} : { cookie } })).text();

test.each(['session', '__Host-session'])(
  'nginx spreads users over both processes and pins each user by the cookie %s',
  async (name) => {
    const met = new Set<string>();
    for (let person = 0; person < 24; person += 1) {
      const all = [];
      for (const other of ['', 'device=abc; ', 'theme=dark; device=abc; '])
        all.push(await servedBy(`${other}${name}=person-${person}; last=1`));
      expect(new Set(all).size).toBe(1);
      met.add(all[0]!);
    }
    expect([...met].sort()).toEqual(['first', 'second']);
  },
);

test('nginx pins a client without a session to one process by IP address', async () => {
  const met = new Set([
    await servedBy(),
    await servedBy(),
    await servedBy('device=abc'),
    await servedBy('xsession=1'),
  ]);
  expect(met.size).toBe(1);
});
