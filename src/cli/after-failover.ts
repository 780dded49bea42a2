import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import { findFfmpeg } from '#server/audio/ffmpeg.ts';
import type { Clock } from '#server/clock.ts';
import type { Settings } from '#server/config/settings.ts';
import type { DataFolder } from '#server/data-folder/data-folder.ts';
import type { Database, Db } from '#server/db/database.ts';
import { openSandbox } from '#server/decoding/sandbox.ts';
import type { Log } from '#server/log.ts';
import { createDiskMeter, createDiskSpaceMonitor } from '#server/media/disk-space.ts';
import { getMediaFilePath } from '#server/media/layout.ts';
import { findFileNamesWithRow, toFileBatches } from '#server/media/media-rows.ts';
import { openPartialFiles } from '#server/media/partial-files.ts';
import { openStaging, type Staging } from '#server/media/staging.ts';
import type { MediaStore } from '#server/media/store.ts';
import { setFileAside } from '#server/media/sweep.ts';
import { createNoticesService } from '#server/notices.ts';
import { formatCount } from '#server/progress.ts';
import { createServices, type Services } from '#app/server/server.ts';
import { recordingAudioSlot } from '#features/recordings/limits.ts';
import type { LostRecording } from '#features/recordings/server/service.ts';

// `npm run verify -- --after-failover`. After a failover to an asynchronous standby, the database lacks the
// latest recordings, but their files are in the store.

type RecoveryServices = {
  db: Db;
  store: MediaStore;
  staging: Staging;
  recordings: Pick<Services['recordings'], 'findLost' | 'recover'>;
  clock: Clock;
};

/** Creates what the recovery needs, in addition to the open database and store. */
export async function createRecoveryServices(
  settings: Settings,
  log: Log,
  { database, store, dataFolder }: { database: Database; store: MediaStore; dataFolder: DataFolder },
): Promise<RecoveryServices> {
  const { db } = database;
  const { dataDir, minFreeDisk: minFree } = settings;
  const clock = () => new Date();
  const notices = createNoticesService(db);
  const disk = createDiskSpaceMonitor({ measure: createDiskMeter(dataDir), minFree, notices, log });
  const staging = openStaging(join(dataDir, 'staging'), disk, dataFolder.check);
  const partials = openPartialFiles(join(dataDir, 'uploads'), staging, dataFolder.check);
  const decoders = {
    ffmpegPath: await findFfmpeg(settings.ffmpegPath),
    sandbox: await openSandbox({ hide: [dataDir] }),
  };
  const { recordings } = createServices({
    ...{ settings, database, dataFolder, store, disk, staging, partials, decoders, log, clock },
  });
  return { db, store, staging, recordings, clock };
}

/**
 * Lists the files that the database lacks, however recent. If `mend` is set, restores recordings to their
 * students. Doesn't touch other files.
 * @param settleMs time after which files are checked again, because the program may just be storing them
 */
export async function recoverLostRecordings(
  deps: RecoveryServices,
  { mend, say, settleMs }: { mend: boolean; say(line: string): void; settleMs: number },
) {
  const counts = { restorable: 0, restored: 0, stuck: 0, unlisted: 0 };
  const unlisted = await listFilesWithoutRow(deps);
  if (unlisted.length > 0) await sleep(settleMs);
  for await (const files of toFileBatches(unlisted)) {
    const isSetAside = new Set(files.filter(({ size }) => size === null).map(({ name }) => name));
    const lost = await deps.recordings.findLost(files.map(({ name }) => name));
    for (const recording of lost) {
      // Ignores files of deleted students, which are set aside while a backup runs.
      if (recording.username === null && isSetAside.has(recording.name)) continue;
      const problem = getProblem(recording) ?? (mend ? await restore(deps, recording) : null);
      const result = problem !== null ? 'stuck' : mend ? 'restored' : 'restorable';
      counts[result] += 1;
      say(formatLost(recording, result, problem));
    }
    const explained = new Set([
      ...lost.map(({ name }) => name),
      ...(await findFileNamesWithRow(deps.db, files)),
    ]);
    for (const { name, size } of files) {
      // A file that was set aside and is not a lost recording is where it belongs.
      if (size === null || explained.has(name)) continue;
      counts.unlisted += 1;
      say(`${'unlisted'.padEnd(10)} ${getMediaFilePath(name)}  ${formatCount(size)} bytes`);
    }
  }
  const isDone = counts.restorable + counts.stuck + counts.unlisted === 0;
  return { output: summarize(counts), code: isDone ? (0 as const) : (1 as const) };
}

/** @returns the size of each file in bytes; null if it was set aside */
async function listFilesWithoutRow({ db, store }: RecoveryServices) {
  const sizes = new Map<string, number | null>();
  for await (const name of store.aside.list()) sizes.set(name, null);
  for await (const batch of toFileBatches(store.list())) {
    const listed = await findFileNamesWithRow(db, batch);
    for (const { name, size } of batch) if (!listed.has(name)) sizes.set(name, size);
  }
  return [...sizes].map(([name, size]) => ({ name, size }));
}

const getProblem = ({ username }: LostRecording) =>
  username === null ? 'the student no longer exists' : null;

/**
 * Stores a copy of a lost recording, and sets the original aside. The copy has a name of its own, so that the
 * program can't delete it if it is still storing, or giving up, the original.
 * @returns the reason why the recording could not be restored, otherwise null
 */
async function restore(
  { store, staging, recordings, clock }: RecoveryServices,
  recording: LostRecording,
): Promise<string | null> {
  try {
    const opened = await store.open(recording.name, { start: 0 });
    if (!opened) return 'the file no longer exists';
    const copy = await staging.receive(opened.stream, recordingAudioSlot, opened.size);
    try {
      await recordings.recover(recording, copy);
    } finally {
      await staging.discard(copy);
    }
    await setFileAside(store, clock, recording.name);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function formatLost({ name, username, label }: LostRecording, result: string, problem: string | null) {
  const kind = result === 'restored' ? 'restored' : 'lost';
  const owner = username === null ? 'recording' : `recording of ${username}`;
  const time = label.submittedAt.toISOString().slice(0, 16).replace('T', ' ');
  return `${kind.padEnd(10)} ${getMediaFilePath(name)}  ${owner}, sent on ${time} UTC${problem === null ? '' : `: ${problem}`}`;
}

function summarize(counts: {
  restorable: number;
  restored: number;
  stuck: number;
  unlisted: number;
}): string {
  const { restorable, restored, stuck, unlisted } = counts;
  const lines: string[] = [];
  if (restored > 0) lines.push(`${formatRecordings(restored)} restored.`);
  if (restorable > 0)
    lines.push(
      `The database lost ${formatRecordings(restorable)}. To restore ${restorable === 1 ? 'it' : 'them'}, run npm run verify -- --after-failover --mend.`,
    );
  if (stuck > 0)
    lines.push(
      `${formatRecordings(stuck)} can’t be restored. The daily maintenance deletes such files after 30 days, so copy those that someone may need.`,
    );
  if (unlisted > 0) lines.push(`Other files that are not listed in the database: ${formatCount(unlisted)}.`);
  return lines.length === 0 ? 'The database has lost no recordings.' : lines.join('\n');
}

const formatRecordings = (count: number) =>
  count === 1 ? '1 recording' : `${formatCount(count)} recordings`;
