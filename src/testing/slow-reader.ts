import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestClient } from './client.ts';

export type SlowReader = Awaited<ReturnType<typeof openSlowReader>>;

/**
 * Requests a file on its own connection and reads only on demand. The rest waits in the server and the
 * kernel's buffers, like the audio for a player whose buffer is full.
 */
export async function openSlowReader(
  browser: TestClient,
  path: string,
  headers: Record<string, string> = {},
) {
  const { hostname, port } = new URL(browser.base);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const lines = Object.entries({ host: `${hostname}:${port}`, cookie, ...headers });
  socket.write(
    `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  let received = 0;
  let head = '';
  let isOver = false;
  let wasReset = false;
  const waiting = new Set<() => void>();
  const wake = () => waiting.forEach((resolve) => resolve());
  socket.on('readable', wake);
  for (const event of ['end', 'close', 'error']) {
    socket.on(event, () => {
      isOver = true;
      wake();
    });
  }
  socket.on('error', (error: NodeJS.ErrnoException) => (wasReset = error.code === 'ECONNRESET'));
  return {
    /**
     * Returns whether the other end reset the connection, which discards data in flight. Call this after the
     * last read.
     */
    wasReset: () => wasReset,
    /** Returns the number of bytes received so far, including the head. */
    received: () => received,
    /** Returns the response's status line and headers. */
    head: () => head.split('\r\n\r\n', 1)[0]!,
    /** Reads at least this many more bytes, or until the connection ends. */
    async read(bytes: number) {
      const enough = received + bytes;
      while (received < enough) {
        const part = socket.read() as Buffer | null;
        if (part) {
          received += part.length;
          if (head === '') head = part.toString('latin1');
        } else if (isOver) return;
        else await new Promise<void>((resolve) => waiting.add(resolve));
        waiting.clear();
      }
    },
    leave: () => socket.destroy(),
  };
}
