import { lockDataFolder } from '../data-folder/data-folder-lock.ts';
import { startEmbeddedPostgres } from './start.ts';

/**
 * A second Yangchen process, for tests. It locks the given data folder, starts PostgreSQL, prints 'ready' or
 * the error on one line, and runs until it is killed.
 */
const [dataDir = ''] = process.argv.slice(2);
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

try {
  lockDataFolder(dataDir);
  await startEmbeddedPostgres({ dataDir, binDir: process.env['PG_BIN_DIR'], log });
  process.stdout.write('ready\n');
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${String(error)}\n`);
}
