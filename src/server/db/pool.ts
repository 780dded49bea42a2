import type { Socket } from 'node:net';
import pg from 'pg';
import { isReadOnlyError } from './database-errors.ts';

export type ConnectionSettings =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string };

/** Timeouts for the database, in milliseconds. */
export type DatabaseTimeouts = {
  /** For establishing a connection, or getting one from the pool. */
  connect: number;
  /** Per statement. */
  statement: number;
  /** For waiting for another transaction's lock. */
  lock: number;
  /** For an idle transaction. */
  idleInTransaction: number;
  /**
   * For any response from the server. The server itself enforces the three timeouts above, so a connection that
   * is silent for longer is dead.
   */
  silence: number;
  /** Per statement of a search. */
  search: number;
  /** Grace period for connections that are in use when the pool ends. After that, they are destroyed. */
  end: number;
};

/** Default timeouts. Whatever the database does, users get a response within ten seconds. */
export const DEFAULT_DATABASE_TIMEOUTS: DatabaseTimeouts = {
  connect: 5_000,
  statement: 8_000,
  lock: 6_000,
  idleInTransaction: 30_000,
  silence: 9_000,
  search: 3_000,
  end: 2_000,
};

/** Enables TCP keep-alive after 10 idle seconds; the kernel's default is two hours. */
export const KEEP_ALIVE_OPTIONS = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Opens a connection pool with these timeouts. It connects on the first query. */
export function openPool(connection: ConnectionSettings, size: number, limits: DatabaseTimeouts) {
  const open = new Set<pg.Client>();
  const pool = new pg.Pool({
    ...connection,
    ...KEEP_ALIVE_OPTIONS,
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
     * Closes the pool. Queries in flight get a grace period. After that, their connections are destroyed,
     * because a query that hangs would block the shutdown forever.
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
 * Replaces all connections when the server rejects a write because it is read-only. After a failover, the host
 * name resolves to a server that accepts writes, but existing connections still go to the old one.
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
    // Ends a stale connection, which the pool then removes. A connection in use ends when it is released.
    if (stale.has(client)) void client.end();
  });
}

async function prepareClient(client: pg.Client, limits: DatabaseTimeouts) {
  // pg-pool handles only the errors of idle connections. The loss of a connection in use is an 'error' event
  // that would crash the process if unhandled. The query in flight rejects in any case.
  client.on('error', () => undefined);
  destroyWhenSilent(client, limits.silence);
  // The timeouts are set by a statement rather than connection parameters, because poolers reject parameters
  // that they don't know.
  await client.query(
    `select set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
      set_config('idle_in_transaction_session_timeout', $3, false)`,
    [limits.statement, limits.lock, limits.idleInTransaction].map(String),
  );
}

/**
 * Destroys a connection whose query gets no response for this long. The driver's `query_timeout` would treat
 * the connection as healthy: the connection would return to the pool while the query, or a whole transaction,
 * is still open.
 */
function destroyWhenSilent(client: pg.Client, ms: number) {
  // The plain socket or, with TLS, the TLS socket around it.
  const socket = client.connection.stream as Socket;
  socket.setTimeout(ms);
  // Listens to the event, because Node calls a listener passed to `setTimeout` only once: it would be used up
  // while the connection is idle.
  socket.on('timeout', () => {
    // `readyForQuery` is missing from the types. It is false from the moment a query is sent until the server
    // is ready for the next.
    const { readyForQuery } = client as { readyForQuery?: boolean };
    if (!readyForQuery)
      socket.destroy(new Error('Connection terminated: the database was silent for too long'));
  });
}
