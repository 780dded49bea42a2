import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to connections, any of which may be in use a moment later. */
const [LOWEST, HIGHEST] = [10_000, 32_000];

/** One on loopback that nothing listens on, for a program that can't tell which it took. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
