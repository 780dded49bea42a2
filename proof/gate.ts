import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A moment on a take's way to the server: a chunk of it, or the commit, has been requested; its response exists, but
 * will not reach the browser; the browser has the response.
 */
export type Moment = { call: 'chunk' | 'commit'; is: 'asked' | 'answered' | 'heard' };

/** A proxy between a browser and its connection that sees how far a take has come. */
export type Gate = {
  url: string;
  /** Resolves when this happens for the first time, or after `patienceMs`. */
  reached(moment: Moment, patienceMs: number): Promise<void>;
  /** How far it has come, in words. */
  where(): string;
  /** Blocks everything, like being offline. */
  close(): void;
  open(): void;
  end(): Promise<void>;
};

/**
 * A page of the same origin without the application, served by the gate itself: once there is a service worker, it
 * bypasses the test's own routes for requests below /api, and the server's pages must not touch storage.
 */
export const EMPTY_PAGE = '/api/empty-page';

export async function newGate(to: string): Promise<Gate> {
  const seen = { chunk: { asked: 0, answered: 0, heard: 0 }, commit: { asked: 0, answered: 0, heard: 0 } };
  const sockets = new Set<Socket>();
  let awaited: (Moment & { arrive: () => void }) | null = null;
  let isClosed = false;

  /** @returns whether this was awaited */
  function note(call: Moment['call'] | null, is: Moment['is']): boolean {
    if (!call) return false;
    seen[call][is] += 1;
    if (awaited?.call !== call || awaited.is !== is) return false;
    awaited.arrive();
    awaited = null;
    return true;
  }

  function pass(near: IncomingMessage, back: ServerResponse) {
    if (near.url === EMPTY_PAGE) return back.writeHead(200, { 'content-type': 'text/html' }).end();
    const call = callOf(near);
    const far = request(to + near.url, { method: near.method, headers: near.headers, agent: false });
    far.on('error', () => near.destroy());
    near.on('error', () => far.destroy());
    back.on('close', () => far.destroy());
    far.on('response', (answer) => {
      // The browser is killed without it.
      if (note(call, 'answered')) return;
      const headers = { ...answer.headers };
      delete headers.connection;
      back.writeHead(answer.statusCode ?? 500, headers);
      back.flushHeaders();
      back.on('finish', () => note(call, 'heard'));
      answer.on('error', () => back.destroy());
      answer.pipe(back);
    });
    near.pipe(far);
    note(call, 'asked');
  }

  const server = createServer(pass);
  server.on('connection', (socket: Socket) => {
    if (isClosed) return socket.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    isClosed = true;
    for (const socket of sockets) socket.destroy();
  };

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,

    reached: (moment, patienceMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, patienceMs);
        const arrive = () => {
          clearTimeout(timer);
          resolve();
        };
        awaited = { ...moment, arrive };
      }),

    where() {
      const { chunk, commit } = seen;
      if (isClosed) return 'no connection';
      if (commit.heard > 0) return 'commit confirmed';
      if (commit.answered > 0) return 'commit done, confirmation not heard';
      if (commit.asked > 0) return 'in the commit';
      if (chunk.asked > chunk.answered) return 'in a chunk';
      if (chunk.answered > 0) return 'between chunks';
      return 'nothing sent';
    },

    close,
    open: () => (isClosed = false),
    async end() {
      close();
      server.close();
      await once(server, 'close');
    },
  };
}

function callOf({ method, url = '' }: IncomingMessage): Moment['call'] | null {
  if (method === 'PATCH' && url.startsWith('/api/uploads/')) return 'chunk';
  if (method === 'POST' && url === '/api/recordings') return 'commit';
  return null;
}
