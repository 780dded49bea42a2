import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, test, vi } from 'vitest';
import { limitConnections } from './connections.ts';

test('an IPv6 /56 that reaches its connection limit does not block others in its /48', () => {
  const server = new EventEmitter();
  limitConnections(server as Server, { connections: 2, silentConnections: 100 });
  const connect = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: vi.fn() });
    server.emit('connection', socket);
    return socket;
  };
  const home = [1, 2, 3, 4, 5].map((i) => connect(`2001:db8:1:20${i}::1`));
  expect(home.map(({ destroy }) => destroy.mock.calls.length)).toEqual([0, 0, 0, 0, 1]);
  expect(connect('2001:db8:1:300::1').destroy).not.toHaveBeenCalled();
  home[0]!.emit('close');
  expect(connect('2001:db8:1:209::1').destroy).not.toHaveBeenCalled();
});
