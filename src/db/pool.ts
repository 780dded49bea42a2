import type { Socket } from 'node:net';
import pg from 'pg';

export type Connection =
  { connectionString: string } | { host: string; port: number; user: string; database: string };

/** How long the database may take, in milliseconds. */
export type Limits = {
  /** For a connection to come about, and for a turn at one of the pool. */
  connect: number;
  /** For one statement. */
  statement: number;
  /** For a lock that another transaction holds. */
  lock: number;
  /** For a transaction in which nothing is asked. */
  idleInTransaction: number;
  /** For any answer at all. The server keeps the limits above, so a connection that is silent for longer is dead. */
  silence: number;
  /** For one statement of a search. */
  search: number;
  /** For connections that are in use when the pool ends; then they are cut. */
  end: number;
};

export const LIMITS: Limits = {
  connect: 5_000,
  statement: 15_000,
  lock: 10_000,
  idleInTransaction: 30_000,
  silence: 20_000,
  search: 3_000,
  end: 2_000,
};

/** Asks the kernel to look after a connection that has been quiet for 10 seconds; its own default is two hours. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** A pool of connections, each with the limits; nothing is connected before the first query. */
export function openPool(connection: Connection, size: number, limits: Limits) {
  const open = new Set<pg.Client>();
  const pool = new pg.Pool({
    ...connection,
    ...KEEP_ALIVE,
    max: size,
    connectionTimeoutMillis: limits.connect,
    // pg-pool waits for the promise, though its types do not say so.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises
    onConnect: (client) => {
      open.add(client as pg.Client);
      return prepare(client as pg.Client, limits);
    },
  });
  pool.on('remove', (client) => open.delete(client));
  return {
    pool,
    /** Waits for queries under way, then cuts their connections: they would hold up the end for ever. */
    async end() {
      const deadline = setTimeout(() => {
        for (const client of open) client.connection.stream.destroy();
      }, limits.end);
      await pool.end();
      clearTimeout(deadline);
    },
  };
}

async function prepare(client: pg.Client, limits: Limits) {
  // pg-pool listens for errors of idle connections only. While one is in use, its loss is an 'error' event that nobody
  // hears, and that ends the process; the query under way rejects in any case.
  client.on('error', () => undefined);
  cutWhenSilent(client, limits.silence);
  // By a statement, not as parameters of the connection: poolers refuse those that they do not know.
  await client.query(
    `select set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
      set_config('idle_in_transaction_session_timeout', $3, false)`,
    [limits.statement, limits.lock, limits.idleInTransaction].map(String),
  );
}

/**
 * Cuts a connection on which a query has had no answer for so long. The driver has a `query_timeout`, but after it the
 * connection is still taken for sound: it would go back into the pool with the query, or a whole transaction, open.
 */
function cutWhenSilent(client: pg.Client, ms: number) {
  // The socket, or the one that TLS put around it.
  const socket = client.connection.stream as Socket;
  socket.setTimeout(ms);
  // A listener that is given to `setTimeout` hears it once only, and an idle connection would use that up.
  socket.on('timeout', () => {
    // Not in the types: false from when a query is sent until the server is ready for the next.
    const { readyForQuery } = client as { readyForQuery?: boolean };
    if (!readyForQuery)
      socket.destroy(new Error('Connection terminated: the database was silent for too long'));
  });
}
