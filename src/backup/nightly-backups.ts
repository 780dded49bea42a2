import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { mediaFiles } from '../db/schema.ts';
import type { Clock } from '../platform/server/clock.ts';
import type { Log } from '../platform/server/log.ts';
import { diskOf, type DiskSize } from '../platform/server/media/disk-space.ts';
import type { Notices } from '../platform/server/notices.ts';
import type { BackupSource } from './take-backup.ts';

/** Early in the morning, when nobody sings. A server that was off then makes up for it. */
const FROM_HOUR = 2;
const LOOK_EVERY_MS = 60 * 60 * 1000;
const FIRST_LOOK_MS = 60 * 1000;

/** Beside the files: rows, and room for what comes meanwhile. */
const SPARE_BYTES = 64 * 1024 * 1024;
/** What stays free of the disk. */
const SPARE_SHARE = 0.03;

const FINISHED = /^yangchen-\d{4}-\d\d-\d\d\.tar$/;
const UNFINISHED = /^yangchen-\d{4}-\d\d-\d\d\.unchecked(\.part)?$/;

export type NightlyBackups = ReturnType<typeof nightlyBackups>;

type Deps = {
  source: BackupSource;
  /** null: none is taken. */
  folder: string | null;
  /** How many are kept. */
  keep: number;
  db: Db;
  notices: Notices;
  clock: Clock;
  log: Pick<Log, 'info' | 'error' | 'warn'>;
  /** Measures the disk of a folder; tests bring their own. */
  measure?: (folder: string) => Promise<DiskSize>;
};

/** A backup each night, which is read back before it gets its name. The oldest go. */
export function nightlyBackups({ measure = (place) => diskOf(place)(), ...deps }: Deps) {
  const { source, folder, keep, db, notices, clock, log } = deps;

  const namesIn = async (place: string, pattern: RegExp) =>
    (await readdir(place)).filter((name) => pattern.test(name)).sort();

  async function take(place: string, name: string, signal: AbortSignal) {
    for (const left of await namesIn(place, UNFINISHED)) await rm(join(place, left));
    await mustFit(place);
    // Not in the memory of a server all day.
    const [{ takeBackup }, { verifyArchive }] = await Promise.all([
      import('./take-backup.ts'),
      import('./archive.ts'),
    ]);
    const path = join(place, name);
    const unchecked = path.replace(/tar$/, 'unchecked');
    try {
      const { bytes, files, damaged } = await takeBackup(source, unchecked, () => signal.throwIfAborted());
      await verifyArchive(unchecked);
      await rename(unchecked, path);
      log.info({ name, bytes, files }, 'took a backup and read it back');
      if (damaged.length > 0)
        log.warn({ name, files: damaged.length }, 'the backup lacks files that are missing or damaged');
    } catch (error) {
      await rm(unchecked, { force: true });
      throw error;
    }
    for (const old of (await namesIn(place, FINISHED)).slice(0, -keep)) await rm(join(place, old));
  }

  async function mustFit(place: string) {
    const { rows } = await db.execute<{ bytes: string }>(
      sql`select coalesce(sum(${mediaFiles.size}), 0) as bytes from ${mediaFiles}`,
    );
    const { free, total } = await measure(place);
    if (free - Number(rows[0]!.bytes) - SPARE_BYTES < total * SPARE_SHARE)
      throw new Error('There is not enough room for a backup on the disk of BACKUP_DIR');
  }

  return {
    /** The latest that is whole. */
    async state() {
      const [newest] = folder === null ? [] : (await namesIn(folder, FINISHED).catch(() => [])).slice(-1);
      const found = newest === undefined ? null : await stat(join(folder!, newest)).catch(() => null);
      return {
        isNightly: folder !== null,
        latest: found && { takenAt: found.mtime, bytes: found.size },
      };
    },

    /** Takes today's, if it is time and there is none. That it failed is logged, and told to the teacher. */
    async takeDue(signal: AbortSignal): Promise<void> {
      const now = clock();
      if (folder === null || now.getHours() < FROM_HOUR) return;
      const name = `yangchen-${dayOf(now)}.tar`;
      try {
        if ((await namesIn(folder, FINISHED)).includes(name)) return;
        await take(folder, name, signal);
        await notices.clear('backup-failed');
      } catch (error) {
        if (signal.aborted) return;
        log.error({ error }, 'the nightly backup failed; it will be tried again within the hour');
        await notices.raise('backup-failed');
      }
    },
  };
}

/** Takes backups from now on. */
export function startNightlyBackups(backups: Pick<NightlyBackups, 'takeDue'>, log: Pick<Log, 'error'>) {
  const ending = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const look = () => {
    running = running
      .then(() => backups.takeDue(ending.signal))
      .catch((error: unknown) => log.error({ error }, 'the nightly backup could not be looked after'));
  };
  const first = setTimeout(look, FIRST_LOOK_MS);
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    /** One that is being taken is given up, and made up for at the next start. */
    async stop() {
      clearTimeout(first);
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}

/** Where the server is: its night is not that of Greenwich. */
function dayOf(time: Date) {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
