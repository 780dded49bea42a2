import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { explainMissingPrograms } from '../../scripts/find-program.js';
import { killDaemon, SETPRIV, startDaemon } from './daemon.ts';
import { findFreePort } from './free-port.ts';
import { waitFor } from './wait-for.ts';

/** Returns what is missing on this machine; null if PgBouncer can be started. */
export const explainMissingPgBouncer = () =>
  explainMissingPrograms(['pgbouncer', 'unshare', SETPRIV], 'pgbouncer');

type Server = { host: string; port: number; user: string; database: string };

/**
 * Starts PgBouncer in front of a server. PgBouncer refuses to run as root but must reach root's socket, so
 * root runs it in a user namespace that maps root to another user.
 */
export async function startPgBouncer(server: Server, mode: 'session' | 'transaction') {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-pgbouncer-'));
  const port = await findFreePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${server.host} port=${server.port} user=${server.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 50
`,
  );
  const namespace =
    process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : [];
  // Sets the parent-death signal again, because entering the namespace clears it.
  const daemon = startDaemon(folder, [...namespace, SETPRIV, '--pdeathsig', 'KILL', 'pgbouncer', file]);
  const connection = { ...server, host: '127.0.0.1', port };
  const end = async () => {
    await killDaemon(daemon);
    await rm(folder, { recursive: true, force: true });
  };
  await waitFor(async () => {
    const client = new pg.Client(connection);
    await client.connect();
    await client.end();
  });
  return { connection, end };
}
