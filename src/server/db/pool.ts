import type { Socket } from 'node:net';
import pg from 'pg';
import { isReadOnlyError } from './unavailable.ts';

export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string };

/** Timeouts for the database, in milliseconds. */
export type DatabaseTimeouts = {
  /** For establishing a connection, or getting one from the pool. */
  connect: number;
  /** Per statement. */
  statement: number;
  /** For waiting for a lock of another transaction. */
  lock: number;
  /** For an idle transaction. */
  idleInTransaction: number;
  /**
   * For any response at all. The server enforces the timeouts above, so a connection that stays silent for longer is
   * dead.
   */
  silence: number;
  /** Per statement of a search. */
  search: number;
  /** Grace period for connections in use when the pool ends. After it they are cut off. */
  end: number;
};

/** Default timeouts. Whatever the database does, users get a response within ten seconds. */
export const DEFAULT_TIMEOUTS: DatabaseTimeouts = {
  connect: 5_000,
  statement: 8_000,
  lock: 6_000,
  idleInTransaction: 30_000,
  silence: 9_000,
  search: 3_000,
  end: 2_000,
};

/** Enables TCP keep-alive after 10 idle seconds; the kernel's default is two hours. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Opens a pool of connections with these timeouts. It connects on the first query. */
export function openPool(connection: Connection, size: number, limits: DatabaseTimeouts) {
  const open = new Set<pg.Client>();
  const pool = new pg.Pool({
    ...connection,
    ...KEEP_ALIVE,
    max: size,
    connectionTimeoutMillis: limits.connect,
    // pg-pool awaits the promise, although its types don't say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) => {
      open.add(client as pg.Client);
      return prepareClient(client as pg.Client, limits);
    },
  });
  pool.on('remove', (client) => open.delete(client));
  replaceAllOnReadOnly(pool, open);
  return {
    pool,
    /**
     * Waits for queries in flight until the deadline, then destroys their connections, which would otherwise block
     * the shutdown forever.
     */
    async end() {
      const deadline = setTimeout(() => {
        for (const client of open) client.connection.stream.destroy();
      }, limits.end);
      await pool.end();
      clearTimeout(deadline);
    },
  };
}

/**
 * Replaces every connection once the server refuses a write. After a failover, the same address leads to a server
 * that accepts writes, but older connections stay at the old one.
 */
function replaceAllOnReadOnly(pool: pg.Pool, open: Set<pg.Client>) {
  const stale = new WeakSet<pg.Client>();
  const replaceIdle = async () => {
    const client = await pool.connect();
    client.release();
  };
  pool.on('release', (error: unknown, client) => {
    if (isReadOnlyError(error)) {
      for (const each of open) stale.add(each);
      for (let i = pool.idleCount; i > 0; i -= 1) replaceIdle().catch(() => undefined);
    }
    // The pool removes a connection that is ending. Connections in use end when they are released.
    if (stale.has(client)) void client.end();
  });
}

async function prepareClient(client: pg.Client, limits: DatabaseTimeouts) {
  // pg-pool handles only errors of idle connections. The loss of one in use is an unhandled 'error' event that would
  // crash the process; the query in flight rejects in any case.
  client.on('error', () => undefined);
  destroyWhenSilent(client, limits.silence);
  // Set by a statement, not as connection parameters: poolers refuse parameters that they don't know.
  await client.query(
    `select set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
      set_config('idle_in_transaction_session_timeout', $3, false)`,
    [limits.statement, limits.lock, limits.idleInTransaction].map(String),
  );
}

/**
 * Destroys a connection whose query got no response for this long. The driver has a `query_timeout`, but treats the
 * connection as healthy after it: it would return to the pool with the query, or a whole transaction, still open.
 */
function destroyWhenSilent(client: pg.Client, ms: number) {
  // The socket, or the TLS socket that wraps it.
  const socket = client.connection.stream as Socket;
  socket.setTimeout(ms);
  // A listener passed to `setTimeout` is called only once, and an idle connection would use it up.
  socket.on('timeout', () => {
    // Missing from the types: false from sending a query until the server is ready for the next.
    const { readyForQuery } = client as { readyForQuery?: boolean };
    if (!readyForQuery)
      socket.destroy(new Error('Connection terminated: the database was silent for too long'));
  });
}
