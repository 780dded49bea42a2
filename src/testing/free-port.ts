import { once } from 'node:events';
import { createServer } from 'node:net';

/** One on loopback that nothing listens on, for a program that can't tell which it took. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
