import pg from 'pg';
import { KEEP_ALIVE, LIMITS, type Connection } from './pool.ts';

/** Others who use the pooler may hide it for a moment. */
const ROUNDS = 4;

/**
 * Whether a pooler gives each transaction whichever session of the server is free, as PgBouncer does with
 * `pool_mode = transaction`. Then locks and settings of a session stay with somebody else's, and LISTEN hears nothing.
 *
 * Two connections compare the server processes that answer them: each has to keep its own. The first asks twice in a
 * row, which also shows a pooler that takes its sessions in turns.
 */
export async function isTransactionPooled(connection: Connection): Promise<boolean> {
  const clients = [clientFor(connection), clientFor(connection)] as const;
  try {
    for (const client of clients) await client.connect();
    const [first, second] = clients;
    const ofFirst = await processOf(first);
    const ofSecond = await processOf(second);
    for (let round = 0; round < ROUNDS; round += 1) {
      if ((await processOf(first)) !== ofFirst || (await processOf(first)) !== ofFirst) return true;
      if ((await processOf(second)) !== ofSecond) return true;
    }
    return ofFirst === ofSecond;
  } finally {
    for (const client of clients) await client.end();
  }
}

function clientFor(connection: Connection): pg.Client {
  const client = new pg.Client({
    ...connection,
    ...KEEP_ALIVE,
    connectionTimeoutMillis: LIMITS.connect,
    query_timeout: LIMITS.silence,
  });
  // A lost connection rejects the current query; unhandled, this event would also crash the process.
  client.on('error', () => undefined);
  return client;
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
