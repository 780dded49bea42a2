import type { ConnectionSettings, Db } from '#server/db/database.ts';
import { prepareDataFolder } from '#server/data-folder/data-folder-access.ts';
import { assertSameInstallation } from '#server/data-folder/installation.ts';
import type { Log } from '#server/log.ts';
import { createFileChecks } from '#server/media/file-checks.ts';
import { describeMediaLocation, openMediaStore, withMediaStore } from '#server/media/open-store.ts';
import type { MediaStore } from '#server/media/store.ts';
import { createFileVerifier } from '#server/media/verification.ts';
import { createNoticesService } from '#server/notices.ts';
import { createProgressPrinter } from '#server/progress.ts';
import type { Settings } from '#server/config/settings.ts';
import { withDatabase, type DatabaseWork } from '#app/server/with-database.ts';
import { describeFileOwners } from '#features/operations/verification/server/describe-file-owners.ts';
import { formatFinding, summarizeFindings } from '#features/operations/verification/server/report.ts';

// `npm run verify`: prints each finding to stdout immediately, and progress to stderr.

/** Maximum delay between a file and its row while the program runs. */
const HOUR_MS = 60 * 60 * 1000;

/** Time for a deletion in progress to finish. The program deletes a row first and then its file. */
const SETTLE_MS = 2_000;

/** Longer than the database lets a statement run, so that a recording in progress is stored or given up. */
const STORING_TIMEOUT_MS = 10_000;

export type VerifyOutcome = { output: string; code: 0 | 1 };

/**
 * Runs the verification.
 * @returns what to print at the end, and the exit code: 0 if there are no problems, 1 if any remain
 */
export async function runVerifyCommand(
  options: string[],
  settings: Settings,
  log: Log,
): Promise<VerifyOutcome> {
  const mend = options.includes('--mend');
  const place = describeMediaLocation(settings);
  const found = await openMediaStore(settings, log, () => Promise.resolve());
  const work: DatabaseWork<VerifyOutcome> = (db, connection, { isAlone, database }) =>
    withMediaStore(settings, log, async (store, dataFolder) => {
      // Claims the bucket under the id that it already contains, so nothing is written. Without a claim, the
      // store would not check whether the bucket has been emptied or replaced.
      const id = settings.s3 ? await store.installationId() : null;
      if (id !== null) await store.claim(id);
      if (options.includes('--after-failover')) {
        // Loads the program's services only if they are needed.
        const { createRecoveryServices, recoverLostRecordings } = await import('./after-failover.ts');
        printLine(`Looking for files in ${place.name} that the database lacks.`);
        const services = await createRecoveryServices(settings, log, { database, store, dataFolder });
        return recoverLostRecordings(services, { mend, say: printLine, settleMs: STORING_TIMEOUT_MS });
      }
      printLine(`Checking the files in ${place.name}.`);
      const before = new Date(Date.now() - (isAlone ? 0 : HOUR_MS));
      return verifyMedia({ db, connection, store, before, mend, say: printLine });
    });
  return withDatabase(settings, log, work, async (db) => {
    await prepareDataFolder(settings.dataDir);
    await assertSameInstallation(db, found, place);
  });
}

const printLine = (line: string) => process.stdout.write(`${line}\n`);

const printWaiting = () =>
  process.stderr.write('Waiting for the running server to finish its maintenance.\n');

type VerifiedMedia = {
  db: Db;
  connection: ConnectionSettings;
  store: MediaStore;
  /** Files without a row that are newer than this are not reported. */
  before: Date;
  mend: boolean;
  say(line: string): void;
  settleMs?: number;
  onWait?(): void;
};

export async function verifyMedia({
  mend,
  say,
  settleMs = SETTLE_MS,
  onWait = printWaiting,
  ...media
}: VerifiedMedia): Promise<VerifyOutcome> {
  const { db, connection, store, before } = media;
  const quiet = { info: () => undefined, error: () => undefined };
  const clock = () => new Date();
  const notices = createNoticesService(db);
  const checks = createFileChecks({ db, store, notices, clock, log: quiet });
  let left = 0;
  const done = await createFileVerifier({ db, connection, store, checks, notices, clock })({
    ...{ before, repair: mend, read: 'all', isMaintenance: false, settleMs },
    onFound: async (findings) => {
      left += findings.filter(({ repaired }) => !repaired).length;
      const named = findings.filter(({ kind }) => kind !== 'unnamed').map(({ name }) => name);
      const owners = await describeFileOwners(db, named);
      for (const finding of findings) say(formatFinding(finding, owners.get(finding.name)));
    },
    onProgress: createProgressPrinter(),
    onWait,
  });
  return { output: summarizeFindings(done!, mend).join('\n'), code: left === 0 ? 0 : 1 };
}
