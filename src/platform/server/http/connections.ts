import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { network } from '../network.ts';
import type { HttpLimits } from './limits.ts';

/**
 * Limits the connections per address. Behind a proxy they all share one: then this is the proxy's job. A connection
 * without a request yet makes way for a newer one; beyond the overall limit, the newest is refused.
 */
export function boundConnections(
  server: Server,
  { connections, silentConnections }: Pick<HttpLimits, 'connections' | 'silentConnections'>,
) {
  const open = new Map<string, number>();
  const silent = new Map<string, Set<Socket>>();

  function speaks(address: string, socket: Socket) {
    const waiting = silent.get(address);
    waiting?.delete(socket);
    if (waiting?.size === 0) silent.delete(address);
  }

  server.on('connection', (socket: Socket) => {
    const address = network(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    if (count > connections) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    const waiting = silent.get(address) ?? new Set();
    silent.set(address, waiting.add(socket));
    socket.on('close', () => {
      speaks(address, socket);
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (waiting.size > silentConnections) {
      const [oldest] = waiting;
      oldest?.destroy();
      waiting.delete(oldest!);
    }
  });
  server.on('request', ({ socket }: { socket: Socket }) =>
    speaks(network(socket.remoteAddress ?? ''), socket),
  );
}
