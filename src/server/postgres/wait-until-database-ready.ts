import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';

type Connection = ClientConfig & { database: string };

/** SQLSTATE of a database that does not exist. */
const NO_SUCH_DATABASE = '3D000';

/**
 * Waits until the database accepts connections, or until `isOver` returns true because the server has exited.
 * Creates the database if it is missing. Polls every 10 ms, because a start takes less than 100 ms. Has no
 * timeout, because crash recovery of a large database can take a long time. Calls `onSlow` every 10 seconds
 * instead.
 */
export async function waitUntilDatabaseReady(
  connection: Connection,
  { isOver, onSlow }: { isOver: () => boolean; onSlow: (seconds: number) => void },
): Promise<void> {
  const started = Date.now();
  for (let reportedSeconds = 0; !isOver(); await sleep(10)) {
    const answer = await probeDatabase(connection);
    if (answer === 'ready') return;
    if (answer === NO_SUCH_DATABASE) await createDatabase(connection);
    const seconds = Math.floor((Date.now() - started) / 10_000) * 10;
    if (seconds > reportedSeconds) onSlow((reportedSeconds = seconds));
  }
}

async function probeDatabase(connection: Connection): Promise<string> {
  try {
    await withConnection(connection, async () => undefined);
    return 'ready';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
  }
}

const createDatabase = (connection: Connection) =>
  withConnection({ ...connection, database: 'postgres' }, (client) =>
    client.query(`CREATE DATABASE ${client.escapeIdentifier(connection.database)}`),
  );

async function withConnection<T>(connection: Connection, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 10_000 });
  // Ignores lost connections, because `isOver` detects that the server has exited. Without a handler, the
  // event would crash the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
