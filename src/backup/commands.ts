import { join, resolve } from 'node:path';
import { byteSizeInWords } from '../platform/contract/byte-size.ts';
import { openDataFolder } from '../platform/server/data-folder.ts';
import type { Log } from '../platform/server/log.ts';
import { mediaPlaceOf, openMediaStore } from '../platform/server/media/open-store.ts';
import { count, progressOnTerminal } from '../platform/server/progress.ts';
import type { Settings } from '../platform/server/settings.ts';
import { withDatabase, withNewDatabase } from '../with-database.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';
import { takeBackup } from './take-backup.ts';

// What `npm run backup` and `npm run restore` do. They print progress to stderr.

/** How many damaged files are named; all are counted, and named in the backup. */
const NAMED_AT_MOST = 20;

export async function backUp([file = '']: string[], settings: Settings, log: Log): Promise<string> {
  const path = fromWhereCalled(file);
  const { files, bytes, damaged } = await withDatabase(settings, log, async (_, connection) =>
    takeBackup(
      {
        connection,
        store: await openMediaStore(settings, log, () => Promise.resolve()),
        outbox: join(settings.dataDir, 'outbox'),
      },
      path,
      progressOnTerminal(),
    ),
  );
  const taken = `The backup is in ${path}: all rows and ${count(files)} files, ${byteSizeInWords(bytes)}.`;
  if (damaged.length === 0) return taken;
  throw new Error(`${taken}\n${damageSentence(damaged)}`);
}

export async function restore([file = '']: string[], settings: Settings, log: Log): Promise<string> {
  const path = fromWhereCalled(file);
  const backup = await checkBackup(path);
  await withNewDatabase(settings, log, async (connection) => {
    const folder = await openDataFolder(settings, log);
    try {
      await restoreBackup(path, backup, {
        connection,
        store: await openMediaStore(settings, log, folder.check),
        place: mediaPlaceOf(settings),
        staging: join(settings.dataDir, 'staging'),
        outbox: join(settings.dataDir, 'outbox'),
      });
    } finally {
      await folder.release();
    }
  });
  const { damaged, createdAt, files } = backup;
  const restored = `Restored as of ${createdAt}: all rows and ${count(files)} files. Start Yangchen as before.`;
  return damaged.length === 0 ? restored : `${restored}\n${damageSentence(damaged)}`;
}

/** npm runs a script in the folder of the project. */
const fromWhereCalled = (file: string) => resolve(process.env['INIT_CWD'] ?? '', file);

const damageSentence = (names: string[]) =>
  `${count(names.length)} of the files that the database names ${names.length === 1 ? 'was' : 'were'} missing or damaged before: ${names.slice(0, NAMED_AT_MOST).join(', ')}${names.length > NAMED_AT_MOST ? ', …' : ''}`;
