import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type StallingProxy = {
  host: string;
  port: number;
  /** Stops all delivery, even of a FIN, like a switch that failed silently. */
  stall(): void;
  /** Delivers what was sent while stalled. */
  resume(): void;
  end(): Promise<void>;
};

/** Starts a proxy between a client and a database on a Unix socket. */
export async function createStallingProxy(target: { host: string; port: number }): Promise<StallingProxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  let held: (() => void)[] = [];
  const pass = (deliver: () => void) => {
    if (isStalled) held.push(deliver);
    else deliver();
  };

  // Half-open, because Node would otherwise confirm a close that has not been delivered to the other side.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ path: `${target.host}/.s.PGSQL.${target.port}`, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (chunk: Buffer) => pass(() => to.write(chunk)));
      from.on('end', () => pass(() => to.end()));
      from.on('close', () => {
        sockets.delete(from);
        pass(() => to.destroy());
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    stall() {
      isStalled = true;
    },
    resume() {
      isStalled = false;
      const deliveries = held;
      held = [];
      for (const deliver of deliveries) deliver();
    },
    async end() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
