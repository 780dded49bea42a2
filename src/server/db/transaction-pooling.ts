import pg from 'pg';
import { KEEP_ALIVE_OPTIONS, DEFAULT_DATABASE_TIMEOUTS, type ConnectionSettings } from './pool.ts';

/**
 * Number of comparisons. A single comparison is not enough, because other clients of the pooler may hide
 * transaction pooling for a moment.
 */
const ROUNDS = 4;

/**
 * Returns whether the connection goes through a pooler that gives each transaction any free session of the
 * server, as PgBouncer does with `pool_mode = transaction`. Session locks and settings would then stay in a
 * session that others use, and LISTEN would receive nothing. The check compares the server processes behind
 * two connections: each connection must always have the same process, and not that of the other. The first
 * connection is checked twice in a row, which also reveals a pooler that rotates its sessions.
 */
export async function isTransactionPooled(connection: ConnectionSettings): Promise<boolean> {
  const clients = [createClient(connection), createClient(connection)] as const;
  try {
    for (const client of clients) await client.connect();
    const [first, second] = clients;
    const ofFirst = await getProcessId(first);
    const ofSecond = await getProcessId(second);
    for (let round = 0; round < ROUNDS; round += 1) {
      if ((await getProcessId(first)) !== ofFirst || (await getProcessId(first)) !== ofFirst) return true;
      if ((await getProcessId(second)) !== ofSecond) return true;
    }
    return ofFirst === ofSecond;
  } finally {
    for (const client of clients) await client.end();
  }
}

function createClient(connection: ConnectionSettings): pg.Client {
  const client = new pg.Client({
    ...connection,
    ...KEEP_ALIVE_OPTIONS,
    connectionTimeoutMillis: DEFAULT_DATABASE_TIMEOUTS.connect,
    query_timeout: DEFAULT_DATABASE_TIMEOUTS.silence,
  });
  // Ignores the 'error' event of a lost connection, which would otherwise crash the process. The current query
  // rejects in any case.
  client.on('error', () => undefined);
  return client;
}

async function getProcessId(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
