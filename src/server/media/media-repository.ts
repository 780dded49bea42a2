import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { eq, inArray, or } from 'drizzle-orm';
import { isBackupRunning } from '../db/advisory-locks.ts';
import { getSqlState, type Db } from '../db/database.ts';
import { mediaFiles } from '../db/schema.ts';
import { isFatalDatabaseError } from '../db/database-errors.ts';
import { AppError, createNotFoundError } from '#shared/errors.ts';
import { FILE_DAMAGED_MESSAGE, WAVEFORM_BAR_COUNT, type UploadSlot } from '#shared/media.ts';
import { type AudioFacts, type inspectAudio, getInspectionQueue } from '../audio/inspect.ts';
import type { PassageRange } from '../audio/decoder/cut-passage.ts';
import { createPassage } from '../audio/create-passage.ts';
import type { DecodingTools } from '../decoding/sandbox.ts';
import { createThumbnail } from '../image/thumbnail.ts';
import type { Clock } from '../clock.ts';
import { createKeyedLimiter } from '../concurrency/concurrency-limiter.ts';
import type { Log } from '../log.ts';
import { queueSoundCopies } from './sound-copy-jobs.ts';
import { hashFile } from './hash-file.ts';
import type { StagedFile, Staging } from './staging.ts';
import type { MediaStore } from './store.ts';
import { setFileAside } from './sweep.ts';

/** A staged file that has been inspected and accepted, with its row. */
export type NewMediaFile = { path: string; row: typeof mediaFiles.$inferInsert };

/**
 * Progress of an audio file's inspection. `fraction` is the share that has been decoded, from 0 to 1. For a
 * short file it stays 0.
 */
export type InspectionProgress = { step: 'waiting' | 'running'; fraction: number };

export type MediaRepository = ReturnType<typeof createMediaRepository>;

/**
 * Creates the repository that stores files and their rows as one unit. It makes the file durable before the
 * transaction with its row commits. A crash between the two can leave a file without a row, which the sweep
 * sets aside, but never a row without its file.
 */
export function createMediaRepository(deps: {
  db: Db;
  store: MediaStore;
  staging: Staging;
  decoders: DecodingTools;
  inspect: typeof inspectAudio;
  log: Log;
  clock: Clock;
}) {
  const { db, store, staging, decoders, inspect, log, clock } = deps;
  const serializedBy = createKeyedLimiter({ maxConcurrent: 1 });
  const inspections = new WeakMap<StagedFile, InspectionProgress>();

  /**
   * Removes published files whose rows were not stored. No backup can refer to them, so they needn't be set
   * aside.
   */
  const unpublish = (media: NewMediaFile[]) =>
    forEachFile(
      media.map(({ row }) => row.name),
      store.remove,
    );

  async function removeFiles(names: string[]) {
    if (names.length === 0) return;
    // Sets the files aside if a backup is already running. Their rows are deleted, so only such a backup may
    // still need the files.
    const isKept = await isBackupRunning(db).catch(() => true);
    await forEachFile(names, (name) => (isKept ? setFileAside(store, clock, name) : store.remove(name)));
  }

  async function forEachFile(names: string[], remove: (name: string) => Promise<unknown>) {
    for (const name of names) {
      try {
        await remove(name);
      } catch (error) {
        log.warn({ error, name }, 'a file could not be removed; leaving it to the next sweep');
        // Gives up if the store can't be reached, because the other files would fail after the same timeout.
        if (isStoreUnavailable(error)) return;
      }
    }
  }

  async function factsOf(file: StagedFile, slot: UploadSlot, uploaderId: string): Promise<AudioFacts> {
    const rules = {
      maxSeconds: slot.maxSeconds ?? Infinity,
      ...(slot.audioKinds && { kinds: slot.audioKinds }),
    };
    const onProgress = (fraction: number) => inspections.set(file, { step: 'running', fraction });
    inspections.set(file, { step: 'waiting', fraction: 0 });
    try {
      return await serializedBy(`${uploaderId} ${getInspectionQueue(file.size)}`, () =>
        inspect(file.path, rules, decoders, { onProgress }),
      );
    } finally {
      inspections.delete(file);
    }
  }

  /**
   * Copies a stored audio file to a staged file, and returns the copy with the original's row.
   * @throws like `again`
   */
  async function staged(name: string, slot: UploadSlot) {
    const [row] = await db.select().from(mediaFiles).where(eq(mediaFiles.name, name));
    const opened = row && (await store.open(name, { start: 0 }));
    if (!opened) throw createNotFoundError();
    const file = await staging.receive(opened.stream, slot, opened.size);
    if (file.sha256 === row.sha256) return { row, file };
    await staging.discard(file);
    throw new AppError('unavailable', FILE_DAMAGED_MESSAGE);
  }

  return {
    /**
     * Inspects an audio file. Files of one user are inspected one after the other, so that no user delays all
     * others. Long and short files have separate queues.
     * @param uploaderId the user who sent the file
     * @param clientPeaks the uploader's waveform, used only if the server has no decoder for the format
     * @throws AppError 'unsupported-media', or 'bad-input' if the audio is too long
     */
    async audio(
      file: StagedFile,
      slot: UploadSlot,
      uploaderId: string,
      clientPeaks?: string,
    ): Promise<NewMediaFile> {
      return toNewMedia(file, slot, await factsOf(file, slot, uploaderId), clientPeaks);
    },

    /**
     * Duplicates a stored audio file as an independent file, which remains when the original is deleted.
     * @throws AppError 'not-found', or 'unavailable' if the original is damaged or the store can't be reached;
     * 'storage-full' if the disk is full
     */
    async again(name: string, slot: UploadSlot): Promise<NewMediaFile> {
      const { row, file } = await staged(name, slot);
      const { contentType, size, sha256, durationMs, peaks, seeksExactly } = row;
      return {
        path: file.path,
        row: {
          name: createRandomFileName(extname(name).slice(1)),
          slot: slot.name,
          ...{ contentType, size, sha256, durationMs, peaks, seeksExactly },
        },
      };
    },

    /**
     * Cuts a passage out of a stored audio file and returns it as an independent file.
     * @param uploaderId the user who owns the original
     * @throws like `again`; 'unsupported-media' if there is no decoder for the original
     */
    async passage(
      name: string,
      wanted: PassageRange,
      slot: UploadSlot,
      uploaderId: string,
    ): Promise<NewMediaFile> {
      const { file: whole } = await staged(name, slot);
      const path = staging.newPath();
      try {
        await createPassage(whole.path, path, wanted, decoders);
        const file = { path, ...(await hashFile(path)) };
        return toNewMedia(file, slot, await factsOf(file, slot, uploaderId), undefined);
      } catch (error) {
        await staging.discard({ path });
        throw error;
      } finally {
        await staging.discard(whole);
      }
    },

    /** Returns the progress of an audio file's inspection; null if it is not being inspected. */
    getInspectionProgress: (file: StagedFile): InspectionProgress | null => inspections.get(file) ?? null,

    /**
     * Creates the thumbnail to store, scaled down and without metadata.
     * @throws AppError 'unsupported-media'
     */
    async thumbnail(file: StagedFile, slot: UploadSlot): Promise<NewMediaFile> {
      const path = staging.newPath();
      try {
        const { contentType } = await createThumbnail(file.path, path, decoders);
        const row = {
          name: createRandomFileName('webp'),
          slot: slot.name,
          contentType,
          ...(await hashFile(path)),
        };
        return { path, row };
      } catch (error) {
        await staging.discard({ path });
        throw error;
      }
    },

    /**
     * Publishes files, then inserts their rows and runs `write` in one transaction. Queues audio files to be
     * copied. When this resolves, files and rows are durable. When it rejects, the rows don't exist and the
     * files have been removed, with two exceptions:
     * - If the outcome of COMMIT is unknown, the rows may exist, so the files stay until the sweep checks them.
     * - If the store can't be reached, the files are left to the sweep.
     */
    async saveInTransaction<T>(media: NewMediaFile[], write: (tx: Db) => Promise<T>): Promise<T> {
      const published: NewMediaFile[] = [];
      let written = false;
      try {
        for (const one of media) {
          // Adds the file before publishing it, because a publish that fails halfway may still leave a file.
          published.push(one);
          await store.publish(one.path, one.row.name);
        }
        return await db.transaction(async (tx) => {
          const rows = media.map(({ row }) => row);
          if (rows.length > 0) await tx.insert(mediaFiles).values(rows);
          const sounds = rows.filter(({ durationMs, copyOf }) => durationMs && !copyOf);
          await queueSoundCopies(
            tx,
            sounds.map(({ name }) => name),
          );
          const result = await write(tx);
          written = true;
          return result;
        });
      } catch (error) {
        // Keeps the files if the connection broke during COMMIT. It is then unknown whether the rows exist, and
        // a stored recording must not lose its audio. The sweep checks the database later. Also keeps the files
        // if the store can't be reached, because removing them would delay the response by another timeout.
        const isLeftToSweep = written ? !isRolledBack(error) : isStoreUnavailable(error);
        if (!isLeftToSweep) await unpublish(published);
        throw error;
      } finally {
        await Promise.all(media.map((one) => staging.discard(one)));
      }
    },

    /** Deletes staged files that will not be stored. */
    async discard(media: NewMediaFile[]): Promise<void> {
      await Promise.all(media.map((one) => staging.discard(one)));
    },

    /**
     * Deletes the rows of files and of their copies, within the transaction that deletes their owner.
     * @param names file names; null, and URLs of files outside the store, are skipped
     * @returns the names of the files to remove after the commit
     */
    async deleteRows(tx: Db, names: (string | null)[]): Promise<string[]> {
      const present = names.filter((name) => name !== null);
      if (present.length === 0) return [];
      // Locks the rows. This waits for a copy that is being stored, and prevents further copies.
      await tx
        .select({ name: mediaFiles.name })
        .from(mediaFiles)
        .where(inArray(mediaFiles.name, present))
        .for('update');
      const rows = await tx
        .delete(mediaFiles)
        .where(or(inArray(mediaFiles.name, present), inArray(mediaFiles.copyOf, present)))
        .returning({ name: mediaFiles.name });
      return rows.map(({ name }) => name);
    },

    /**
     * Deletes files, or sets them aside while a backup is running. Must be called after the transaction that
     * deleted their rows has committed.
     */
    removeFiles,
  };
}

function toNewMedia(
  file: StagedFile,
  slot: UploadSlot,
  facts: AudioFacts,
  clientPeaks: string | undefined,
): NewMediaFile {
  return {
    path: file.path,
    row: {
      name: createRandomFileName(facts.extension),
      slot: slot.name,
      contentType: facts.contentType,
      size: file.size,
      sha256: file.sha256,
      durationMs: Math.round(facts.durationMs),
      peaks: facts.peaks ? Buffer.from(facts.peaks).toString('base64') : normalizePeaks(clientPeaks),
      seeksExactly: !facts.vbr,
    },
  };
}

/**
 * Creates a name with 128 random bits, which can't be guessed. Requests for the file are authorized
 * nevertheless.
 */
export const createRandomFileName = (extension: string) => `${randomBytes(16).toString('hex')}.${extension}`;

function isRolledBack(error: unknown): boolean {
  const state = getSqlState(error);
  // Returns false for errors that don't show whether the rows exist. Errors of classes 08 (connection) and 57
  // (server shutdown) can occur during COMMIT itself. So can errors that end the session, such as a disk
  // failure while the WAL is being written.
  return state !== null && !state.startsWith('08') && !state.startsWith('57') && !isFatalDatabaseError(error);
}

const isStoreUnavailable = (error: unknown) => error instanceof AppError && error.code === 'unavailable';

/**
 * Returns the peaks in canonical base64, because clients may pad it differently; null if they are invalid.
 * Checks only their length, because peaks are only for display.
 */
function normalizePeaks(peaks: string | undefined): string | null {
  if (!peaks || !/^[A-Za-z0-9+/]+={0,2}$/.test(peaks)) return null;
  const bytes = Buffer.from(peaks, 'base64');
  return bytes.length === WAVEFORM_BAR_COUNT ? bytes.toString('base64') : null;
}
