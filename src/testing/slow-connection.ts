import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export type SlowConnection = {
  url: string;
  /** Returns the bytes downloaded so far, over all connections. */
  received(): number;
  /** Returns the bytes uploaded so far. */
  sent(): number;
  /** Breaks every connection and refuses new ones, like a phone in a tunnel. */
  cut(): void;
  restore(): void;
  end(): Promise<void>;
};

type SlowConnectionOptions = {
  /** URL of the server at the other end. */
  to: string;
  bitsPerSecond: number;
  /** Upload bandwidth; unlimited by default. */
  upBitsPerSecond?: number;
  /** Delay of downloads and, if an upload bandwidth is set, also of uploads. */
  latencyMs: number;
};

const CHUNK_BYTES = 2_048;
/** Maximum amount of data in transit. Further data stays in the sender's buffers, as on a real network. */
const BUFFER_BYTES = 32_768;

/** Simulates a poor connection to a server. All clients share its bandwidth. */
export async function createSlowConnection(options: SlowConnectionOptions): Promise<SlowConnection> {
  const { to, bitsPerSecond, upBitsPerSecond, latencyMs } = options;
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  const down = createOneWay(bitsPerSecond, latencyMs);
  const up = upBitsPerSecond === undefined ? null : createOneWay(upBitsPerSecond, latencyMs);
  let sentUnshaped = 0;
  let isCut = false;

  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        if (socket === near) far.destroy();
      });
    }
    if (up) up.carry(near, far);
    else near.on('data', (chunk: Buffer) => (sentUnshaped += chunk.length)).pipe(far);
    down.carry(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };

  return {
    url: `http://127.0.0.1:${address.port}`,
    received: () => down.carried(),
    sent: () => up?.carried() ?? sentUnshaped,
    cut,
    restore() {
      isCut = false;
    },
    async end() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Creates one direction of the connection. */
function createOneWay(bitsPerSecond: number, latencyMs: number) {
  let carried = 0;
  /** Time at which all data accepted so far will have been sent. */
  let freeAt = 0;

  function carry(from: Socket, to: Socket) {
    // Timers of different lengths may fire out of order, so each delivers the oldest piece rather than its
    // own.
    const pieces: Buffer[] = [];
    let waiting = 0;
    let hasEnded = false;
    from.on('end', () => {
      hasEnded = true;
      if (waiting === 0) to.end();
    });
    const arrive = () => {
      const piece = pieces.shift();
      if (!piece || to.destroyed) return;
      waiting -= piece.length;
      carried += piece.length;
      to.write(piece);
      if (waiting < BUFFER_BYTES) from.resume();
      if (hasEnded && waiting === 0) to.end();
    };
    from.on('data', (chunk: Buffer) => {
      for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
        const piece = chunk.subarray(at, at + CHUNK_BYTES);
        pieces.push(piece);
        waiting += piece.length;
        freeAt = Math.max(performance.now(), freeAt) + (piece.length * 8_000) / bitsPerSecond;
        setTimeout(arrive, freeAt - performance.now() + latencyMs);
      }
      if (waiting >= BUFFER_BYTES) from.pause();
    });
  }

  return { carry, carried: () => carried };
}
