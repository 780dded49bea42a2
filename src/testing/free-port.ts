import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A range below the ephemeral ports, because a connection may take any of those at any time, and above 10080,
 * the highest port that browsers and `fetch` block.
 */
const [LOWEST, HIGHEST] = [10_081, 32_000];

/** Returns a free loopback port, for a program that can't report which port it chose. */
export async function findFreePort(): Promise<number> {
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
