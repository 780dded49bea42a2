import pg from 'pg';
import { KEEP_ALIVE_OPTIONS, DEFAULT_DATABASE_TIMEOUTS, type ConnectionSettings } from './pool.ts';

/**
 * Runs long work on a dedicated connection without timeouts. Session locks are released when the connection
 * ends.
 */
export async function withDedicatedConnection<T>(
  connection: ConnectionSettings,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connection,
    ...KEEP_ALIVE_OPTIONS,
    connectionTimeoutMillis: DEFAULT_DATABASE_TIMEOUTS.connect,
  });
  // Ignores the 'error' event of a lost connection, which would otherwise crash the process. The current query
  // rejects in any case.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Turns off timeouts that the operator may have set for the role.
    await client.query(
      'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
    );
    return await work(client);
  } finally {
    await client.end();
  }
}
