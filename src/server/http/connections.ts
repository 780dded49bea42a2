import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networksOf } from '../limits/network.ts';
import { limitsOf } from '../limits/tallies.ts';
import type { HttpLimits } from './limits.ts';

/**
 * Limits the connections per network. Not for use behind a proxy, where all connections come from one address:
 * there, the proxy has to limit them. A connection without a request is closed when a newer one needs its place;
 * beyond the overall limit, the newest is refused.
 */
export function boundConnections(
  server: Server,
  { connections, silentConnections }: Pick<HttpLimits, 'connections' | 'silentConnections'>,
) {
  const open = new Map<string, Set<Socket>>();
  const silent = new Map<string, Set<Socket>>();

  server.on('connection', (socket: Socket) => {
    const networks = networksOf(socket.remoteAddress ?? '');
    const most = limitsOf(connections, networks);
    if (networks.some((network, width) => sizeOf(open, network) >= most[width]!)) {
      socket.destroy();
      return;
    }
    join(open, networks, socket);
    join(silent, networks, socket);
    socket.on('close', () => {
      leave(silent, networks, socket);
      leave(open, networks, socket);
    });
    const mostSilent = limitsOf(silentConnections, networks);
    networks.forEach((network, width) => {
      if (sizeOf(silent, network) <= mostSilent[width]!) return;
      const [oldest] = silent.get(network)!;
      leave(silent, networksOf(oldest!.remoteAddress ?? ''), oldest!);
      oldest!.destroy();
    });
  });
  server.on('request', ({ socket }: { socket: Socket }) =>
    leave(silent, networksOf(socket.remoteAddress ?? ''), socket),
  );
}

const sizeOf = (sockets: Map<string, Set<Socket>>, network: string) => sockets.get(network)?.size ?? 0;

function join(sockets: Map<string, Set<Socket>>, networks: string[], socket: Socket) {
  for (const network of networks)
    sockets.set(network, (sockets.get(network) ?? new Set<Socket>()).add(socket));
}

function leave(sockets: Map<string, Set<Socket>>, networks: string[], socket: Socket) {
  for (const network of networks) {
    const others = sockets.get(network);
    others?.delete(socket);
    if (others?.size === 0) sockets.delete(network);
  }
}
