import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { getNetworks } from '../limits/network.ts';
import { getLimitsPerNetwork } from '../limits/attempt-counts.ts';
import type { HttpLimits } from './limits.ts';

/**
 * Limits the connections per network. Don't use it behind a proxy, where all connections come from one address:
 * there, the proxy has to set the limit. When a network has too many connections without a request, the oldest
 * of these is closed. When it has too many connections in total, the newest is closed.
 */
export function limitConnections(
  server: Server,
  { connections, silentConnections }: Pick<HttpLimits, 'connections' | 'silentConnections'>,
) {
  const open = new Map<string, Set<Socket>>();
  const silent = new Map<string, Set<Socket>>();

  server.on('connection', (socket: Socket) => {
    const networks = getNetworks(socket.remoteAddress ?? '');
    const most = getLimitsPerNetwork(connections, networks);
    if (networks.some((network, width) => countSockets(open, network) >= most[width]!)) {
      socket.destroy();
      return;
    }
    addSocket(open, networks, socket);
    addSocket(silent, networks, socket);
    socket.on('close', () => {
      removeSocket(silent, networks, socket);
      removeSocket(open, networks, socket);
    });
    const mostSilent = getLimitsPerNetwork(silentConnections, networks);
    networks.forEach((network, width) => {
      if (countSockets(silent, network) <= mostSilent[width]!) return;
      const [oldest] = silent.get(network)!;
      removeSocket(silent, getNetworks(oldest!.remoteAddress ?? ''), oldest!);
      oldest!.destroy();
    });
  });
  server.on('request', ({ socket }: { socket: Socket }) =>
    removeSocket(silent, getNetworks(socket.remoteAddress ?? ''), socket),
  );
}

const countSockets = (sockets: Map<string, Set<Socket>>, network: string) => sockets.get(network)?.size ?? 0;

function addSocket(sockets: Map<string, Set<Socket>>, networks: string[], socket: Socket) {
  for (const network of networks)
    sockets.set(network, (sockets.get(network) ?? new Set<Socket>()).add(socket));
}

function removeSocket(sockets: Map<string, Set<Socket>>, networks: string[], socket: Socket) {
  for (const network of networks) {
    const others = sockets.get(network);
    others?.delete(socket);
    if (others?.size === 0) sockets.delete(network);
  }
}
