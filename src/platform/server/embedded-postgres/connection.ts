import { join } from 'node:path';
import { user } from './initdb.ts';
import { readPidFile } from './pid-file.ts';
import { serves } from './processes.ts';
import { isSocketOf, port } from './socket-folder.ts';

/** For `pg`: `host` is the folder of the socket. `ssl` is said, lest a PGSSLMODE of the operator's decides. */
export type EmbeddedConnection = { host: string; port: number; user: string; database: string; ssl: false };

export const connectionBy = (socketFolder: string): EmbeddedConnection => ({
  host: socketFolder,
  port,
  user,
  database: 'yangchen',
  ssl: false,
});

/**
 * How to reach the server of a data folder that another process runs: by the socket that its pid file names, which
 * only its owner may open. In a copy of a running folder that file leads to the original, where nobody is sent.
 * @returns null where no server of this very folder has written down where it is, as in the first moments of a start
 */
export async function connectionToRunning(dataDir: string): Promise<EmbeddedConnection | null> {
  const folder = join(dataDir, 'postgres');
  const found = await readPidFile(folder);
  if (!found || !(await serves(found, folder)) || !(await isSocketOf(found))) return null;
  return connectionBy(found.socketFolder);
}
