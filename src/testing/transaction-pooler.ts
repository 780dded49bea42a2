import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const SSL_REQUEST = 80_877_103;
const READY_FOR_QUERY = 'Z'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);

type Server = { host: string; port: number; user: string; database: string };

/**
 * A stand-in for PgBouncer with `pool_mode = transaction` and one session of the server, which it lends to a client
 * until the server is idle again. Cancel requests and COPY are not supported.
 */
export async function startTransactionPooler({ host, port, user, database }: Server) {
  const session = connect({ path: `${host}/.s.PGSQL.${port}` });
  session.write(startupMessage({ user, database }));
  const greeting: Buffer[] = [];
  const waiting = new Map<Socket, Buffer[]>();
  let borrower: Socket | null = null;
  let isGreeted = () => {};
  const greeted = new Promise<void>((resolve) => (isGreeted = resolve));

  const lend = () => {
    const [next] = waiting;
    if (borrower || !next) return;
    waiting.delete(next[0]);
    borrower = next[0];
    for (const chunk of next[1]) session.write(chunk);
  };
  session.on('error', () => undefined);
  onMessages(session, (message) => {
    if (borrower) borrower.write(message);
    else greeting.push(message);
    if (message[0] !== READY_FOR_QUERY || message[5] !== IDLE) return;
    isGreeted();
    borrower = null;
    lend();
  });
  await greeted;

  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => undefined);
    let isStarted = false;
    client.on('data', (chunk: Buffer) => {
      if (!isStarted && chunk.readInt32BE(4) === SSL_REQUEST) client.write('N');
      else if (!isStarted) {
        client.write(Buffer.concat(greeting));
        isStarted = true;
      } else if (chunk[0] === TERMINATE) client.end();
      else if (borrower === client) session.write(chunk);
      else waiting.set(client, [...(waiting.get(client) ?? []), chunk]);
      lend();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    async end() {
      for (const socket of [...clients, session]) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Version 3.0 of the protocol. */
function startupMessage(parameters: Record<string, string>): Buffer {
  const text = `${Object.entries(parameters).flat().join('\0')}\0\0`;
  const message = Buffer.alloc(8 + Buffer.byteLength(text));
  message.writeInt32BE(message.length);
  message.writeInt32BE(3 << 16, 4);
  message.write(text, 8);
  return message;
}

/** Each message has a type and its length, without the type. */
function onMessages(socket: Socket, handle: (message: Buffer) => void) {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = rest.readInt32BE(1) + 1;
      handle(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}
