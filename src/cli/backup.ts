import { dirname, join, resolve } from 'node:path';
import { formatByteSize } from '#shared/byte-size.ts';
import type { Log } from '#server/log.ts';
import { createFileChecks } from '#server/media/file-checks.ts';
import { describeMediaLocation, openMediaStore, withMediaStore } from '#server/media/open-store.ts';
import { createNoticesService } from '#server/notices.ts';
import { formatCount, createProgressPrinter } from '#server/progress.ts';
import type { Settings } from '#server/config/settings.ts';
import { formatNames, testRestore } from '#app/server/test-restore.ts';
import { withDatabase, withUnmigratedDatabase } from '#app/server/with-database.ts';
import { getSharedMediaFolder } from '#features/operations/backups/server/backup-folder.ts';
import { createBackupKeys, encryptWithPassphrase } from '#features/operations/backups/server/encryption.ts';
import { checkBackup, restoreBackup } from '#features/operations/backups/server/restore-backup.ts';
import { takeBackup } from '#features/operations/backups/server/take-backup.ts';

// `npm run backup`, which prints progress to stderr, and `npm run restore`.

export async function runBackupCommand(
  [file = '', verify]: string[],
  settings: Settings,
  log: Log,
): Promise<string> {
  if (verify !== undefined) return verifyBackup(file, settings, log);
  const path = resolveFromCaller(file);
  const passphrase = settings.backupPassphrase;
  const { files, bytes, damaged } = await withDatabase(settings, log, async (db, connection) => {
    const store = await openMediaStore(settings, log, () => Promise.resolve());
    const source = { connection, store, outbox: join(settings.dataDir, 'outbox') };
    const encryption = passphrase === null ? null : await encryptWithPassphrase(passphrase);
    const taken = await takeBackup(source, path, createProgressPrinter(), encryption);
    const checks = createFileChecks({
      db,
      store,
      notices: createNoticesService(db),
      log,
      clock: () => new Date(),
    });
    if (taken.damaged.length > 0) await checks.recheck(taken.damaged);
    return taken;
  });
  const taken = `Backup saved to ${path}: the whole database and ${formatFileCount(files)}, ${formatByteSize(bytes)}${passphrase === null ? '' : ', encrypted'}.`;
  if (damaged.length === 0) return taken;
  throw new Error(`${taken}\n${describeDamage(damaged)}`);
}

/** Tests a backup by restoring a scratch copy of it. Ctrl-C aborts the test and deletes the copy. */
async function verifyBackup(file: string, settings: Settings, log: Log): Promise<string> {
  const path = resolveFromCaller(file);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => ending.abort(new Error('Stopped. The test was not finished.')));
  const { createdAt, files, damaged } = await testRestore(path, settings, log, ending.signal);
  return [
    `The backup of ${createdAt} can be restored: the whole database and ${formatFileCount(files)}.`,
    ...(damaged.length > 0 ? [describeDamage(damaged)] : []),
  ].join('\n');
}

export async function runRestoreCommand(
  [file = '']: string[],
  settings: Settings,
  log: Log,
): Promise<string> {
  const path = resolveFromCaller(file);
  const keys = createBackupKeys(settings.backupPassphrase);
  const backup = await checkBackup(path, { keys });
  const { suspendedPassages } = await withUnmigratedDatabase(settings, log, (connection) =>
    withMediaStore(settings, log, (store) =>
      restoreBackup(
        path,
        backup,
        {
          connection,
          store,
          place: describeMediaLocation(settings),
          staging: join(settings.dataDir, 'staging'),
          outbox: join(settings.dataDir, 'outbox'),
        },
        { keys },
      ),
    ),
  );
  const { damaged, lost, createdAt, files } = backup;
  return [
    `Restored the backup of ${createdAt}: the whole database and ${formatFileCount(files)}. Start Yangchen as usual.`,
    ...(damaged.length > 0 ? [describeDamage(damaged)] : []),
    ...(lost.length > 0 ? [describeLost(path, lost)] : []),
    'Everyone has to sign in again. Links and codes sent earlier no longer work.',
    ...(suspendedPassages > 0 ? [describeHiddenPassages(suspendedPassages)] : []),
    RESTORED,
  ].join('\n');
}

const describeHiddenPassages = (passages: number) =>
  passages === 1
    ? '1 passage shared by a student stays hidden until the student agrees again.'
    : `${formatCount(passages)} passages shared by students stay hidden until the students agree again.`;

const RESTORED = `Everything else is as it was when the backup was made. Repeat your later changes. Check these first:
  - levels taken away since then are granted again,
  - accounts disabled since then are active again,
  - people and recordings deleted since then are back,
  - passwords and passkeys are the earlier ones.`;

/**
 * Resolves a path against the folder where the user called npm, because npm runs scripts in the project's
 * folder.
 */
export const resolveFromCaller = (file: string) => resolve(process.env['INIT_CWD'] ?? '', file);

const formatFileCount = (files: number) => `${formatCount(files)} ${files === 1 ? 'file' : 'files'}`;

const describeDamage = (names: string[]) =>
  `${formatCount(names.length)} of the files listed in the database ${names.length === 1 ? 'was' : 'were'} already missing or damaged: ${formatNames(names)}`;

const describeLost = (path: string, names: string[]) =>
  `${formatFileCount(names.length)} ${names.length === 1 ? 'was' : 'were'} not restored, because ${names.length === 1 ? 'it is' : 'they are'} missing or damaged in ${getSharedMediaFolder(dirname(path))}: ${formatNames(names)}`;
