import { join } from 'node:path';
import { DATABASE_USER } from './initdb.ts';
import { readPidFile } from './pid-file.ts';
import { isServerOfFolder } from './processes.ts';
import { isSocketOwnedBy, SOCKET_PORT } from './socket-folder.ts';

/**
 * Options for `pg`. `host` is the folder of the socket. `ssl` is explicitly false, because otherwise the
 * operator's PGSSLMODE would apply.
 */
export type EmbeddedConnectionSettings = {
  host: string;
  port: number;
  user: string;
  database: string;
  ssl: false;
};

export const createEmbeddedConnectionSettings = (socketFolder: string): EmbeddedConnectionSettings => ({
  host: socketFolder,
  port: SOCKET_PORT,
  user: DATABASE_USER,
  database: 'yangchen',
  ssl: false,
});

/**
 * Returns the connection settings for the server of a data folder if another process runs one. The connection
 * uses the socket named in the pid file. Only the system user that runs the server can open that socket. If
 * the folder was copied while its server ran, the pid file names the original's server and is ignored.
 * @returns null if the pid file doesn't name a running server of this very folder, or if that server has only
 * just started and has no socket yet
 */
export async function findRunningConnectionSettings(
  dataDir: string,
): Promise<EmbeddedConnectionSettings | null> {
  const folder = join(dataDir, 'postgres');
  const found = await readPidFile(folder);
  if (!found || !(await isServerOfFolder(found, folder)) || !(await isSocketOwnedBy(found))) return null;
  return createEmbeddedConnectionSettings(found.socketFolder);
}
