import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A moment of an upload: a call (its start, a chunk or its commit) and the progress of the call. 'requested':
 * the client has sent the request. 'answered': the server has responded, and the gate withholds the response.
 * 'received': the client has received the response.
 */
export type UploadMoment = {
  call: 'begin' | 'chunk' | 'commit';
  phase: 'requested' | 'answered' | 'received';
};

/** A proxy between a client and its server that tracks the progress of an upload. */
export type UploadGate = {
  url: string;
  /** Resolves the next time this moment occurs. Rejects after `timeoutMs`. */
  waitFor(moment: UploadMoment, timeoutMs: number): Promise<void>;
  /** Cuts all connections and refuses new ones, as if the client were offline. */
  close(): void;
  open(): void;
  stop(): Promise<void>;
};

export async function createUploadGate(to: string): Promise<UploadGate> {
  const sockets = new Set<Socket>();
  let awaited: (UploadMoment & { arrive: () => void }) | null = null;
  let isClosed = false;

  /**
   * Resolves the pending `waitFor` if it waits for this moment.
   * @returns whether a `waitFor` was resolved
   */
  function note(call: UploadMoment['call'] | null, is: UploadMoment['phase']): boolean {
    if (awaited?.call !== call || awaited.phase !== is) return false;
    awaited.arrive();
    awaited = null;
    return true;
  }

  function pass(near: IncomingMessage, back: ServerResponse) {
    const call = classifyCall(near);
    const far = request(to + near.url, { method: near.method, headers: near.headers, agent: false });
    far.on('error', () => back.destroy());
    near.on('error', () => far.destroy());
    back.on('close', () => far.destroy());
    far.on('response', (answer) => {
      // Withholds the response, because the test that waited for this moment now kills the client or the
      // server.
      if (note(call, 'answered')) return;
      const headers = { ...answer.headers };
      delete headers.connection;
      back.writeHead(answer.statusCode ?? 500, headers);
      back.flushHeaders();
      back.on('finish', () => note(call, 'received'));
      answer.on('error', () => back.destroy());
      answer.pipe(back);
    });
    near.pipe(far);
    note(call, 'requested');
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

    waitFor: (moment, timeoutMs) =>
      new Promise((resolve, reject) => {
        const { call, phase } = moment;
        const timer = setTimeout(() => reject(new Error(`No ${call} was ${phase} in time`)), timeoutMs);
        const arrive = () => {
          clearTimeout(timer);
          resolve();
        };
        awaited = { ...moment, arrive };
      }),

    close,
    open: () => (isClosed = false),
    async stop() {
      close();
      server.close();
      await once(server, 'close');
    },
  };
}

function classifyCall({ method, url = '' }: IncomingMessage): UploadMoment['call'] | null {
  if (method === 'PUT' && url.startsWith('/api/uploads/')) return 'begin';
  if (method === 'PATCH' && url.startsWith('/api/uploads/')) return 'chunk';
  if (method === 'POST' && url === '/api/recordings') return 'commit';
  return null;
}
