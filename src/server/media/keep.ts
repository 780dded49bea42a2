import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { eq, inArray, or } from 'drizzle-orm';
import { isBeingBackedUp } from '../db/advisory-locks.ts';
import { sqlStateOf, type Db } from '../db/database.ts';
import { mediaFiles } from '../db/schema.ts';
import { hasEndedSession } from '../db/unavailable.ts';
import { AppError, notFound } from '#shared/errors.ts';
import { FILE_DAMAGED, WAVEFORM_BARS, type UploadSlot } from '#shared/media.ts';
import { type AudioFacts, type inspectAudio, queueOf } from '../audio/inspect.ts';
import type { PassageWanted } from '../audio/decoder/cut-passage.ts';
import { makePassage } from '../audio/make-passage.ts';
import type { Decoders } from '../decoding/sandbox.ts';
import { makeThumbnail } from '../image/thumbnail.ts';
import type { Clock } from '../clock.ts';
import { keyedLimiter } from '../concurrency/concurrency-limiter.ts';
import type { Log } from '../log.ts';
import { queueCopies } from './copy-jobs.ts';
import { digestOf } from './digest.ts';
import type { StagedFile, Staging } from './staging.ts';
import type { MediaStore } from './store.ts';
import { putAside } from './sweep.ts';

/** A staged file that was inspected and accepted: its row, and its path. */
export type NewMedia = { path: string; row: typeof mediaFiles.$inferInsert };

/**
 * How far a sound has come that is being inspected; `fraction` is the part that has been decoded, 0 to 1, and stays 0 for
 * a short one.
 */
export type Examination = { step: 'waiting' | 'running'; fraction: number };

export type Media = ReturnType<typeof mediaKeeper>;

/**
 * Stores files and the rows that name them as one unit: first the file is made durable, then the transaction with its
 * rows commits. A crash between the two leaves a file without a row, which the sweep sets aside; never a row without
 * its file.
 */
export function mediaKeeper(deps: {
  db: Db;
  store: MediaStore;
  staging: Staging;
  decoders: Decoders;
  inspect: typeof inspectAudio;
  log: Log;
  clock: Clock;
}) {
  const { db, store, staging, decoders, inspect, log, clock } = deps;
  const serializedBy = keyedLimiter({ atOnce: 1 });
  const examinations = new WeakMap<StagedFile, Examination>();

  /** Removes published files whose rows were rejected, and so are in no backup. */
  const unpublish = (media: NewMedia[]) =>
    forEachFile(
      media.map(({ row }) => row.name),
      store.remove,
    );

  async function removeFiles(names: string[]) {
    if (names.length === 0) return;
    // Their rows are gone: a backup that begins from now on does not know them.
    const isKept = await isBeingBackedUp(db).catch(() => true);
    await forEachFile(names, (name) => (isKept ? putAside(store, clock, name) : store.remove(name)));
  }

  async function forEachFile(names: string[], remove: (name: string) => Promise<unknown>) {
    for (const name of names) {
      try {
        await remove(name);
      } catch (error) {
        log.warn({ error, name }, 'a file could not be removed; leaving it to the next sweep');
        // Each of the others would wait as long.
        if (isStoreAway(error)) return;
      }
    }
  }

  async function factsOf(file: StagedFile, slot: UploadSlot, uploaderId: string): Promise<AudioFacts> {
    const rules = {
      maxSeconds: slot.maxSeconds ?? Infinity,
      ...(slot.audioKinds && { kinds: slot.audioKinds }),
    };
    const onProgress = (fraction: number) => examinations.set(file, { step: 'running', fraction });
    examinations.set(file, { step: 'waiting', fraction: 0 });
    try {
      return await serializedBy(`${uploaderId} ${queueOf(file.size)}`, () =>
        inspect(file.path, rules, decoders, { onProgress }),
      );
    } finally {
      examinations.delete(file);
    }
  }

  /** A stored sound as it was received. @throws as `again` */
  async function staged(name: string, slot: UploadSlot) {
    const [row] = await db.select().from(mediaFiles).where(eq(mediaFiles.name, name));
    const opened = row && (await store.open(name, { start: 0 }));
    if (!opened) throw notFound();
    const file = await staging.receive(opened.stream, slot, opened.size);
    if (file.sha256 === row.sha256) return { row, file };
    await staging.discard(file);
    throw new AppError('unavailable', FILE_DAMAGED);
  }

  return {
    /**
     * Inspects an audio file. Files of one person are inspected one after the other, so that nobody can hold up all; long ones
     * beside short ones.
     * @param uploaderId whose file it is
     * @param clientPeaks the uploader's waveform, used only if the server has no decoder for the format
     * @throws AppError 'unsupported-media', or 'bad-input' when it is too long
     */
    async audio(
      file: StagedFile,
      slot: UploadSlot,
      uploaderId: string,
      clientPeaks?: string,
    ): Promise<NewMedia> {
      return asMedia(file, slot, await factsOf(file, slot, uploaderId), clientPeaks);
    },

    /**
     * A stored sound once more, as a file of its own, which stays when the first is deleted.
     * @throws AppError 'not-found', or 'unavailable' when it is damaged, the disk is full or the store out of reach
     */
    async again(name: string, slot: UploadSlot): Promise<NewMedia> {
      const { row, file } = await staged(name, slot);
      const { contentType, size, sha256, durationMs, peaks, seeksExactly } = row;
      return {
        path: file.path,
        row: {
          name: randomName(extname(name).slice(1)),
          slot: slot.name,
          ...{ contentType, size, sha256, durationMs, peaks, seeksExactly },
        },
      };
    },

    /**
     * A passage of a stored sound, as a file of its own that has nothing else of it.
     * @param uploaderId whose sound it is
     * @throws as `again`; 'unsupported-media' where there is no decoder for it
     */
    async passage(
      name: string,
      wanted: PassageWanted,
      slot: UploadSlot,
      uploaderId: string,
    ): Promise<NewMedia> {
      const { file: whole } = await staged(name, slot);
      const path = staging.newPath();
      try {
        await makePassage(whole.path, path, wanted, decoders);
        const file = { path, ...(await digestOf(path)) };
        return asMedia(file, slot, await factsOf(file, slot, uploaderId), undefined);
      } catch (error) {
        await staging.discard({ path });
        throw error;
      } finally {
        await staging.discard(whole);
      }
    },

    /** How far the inspection of a sound has come; null when none is under way. */
    examinationOf: (file: StagedFile): Examination | null => examinations.get(file) ?? null,

    /**
     * Makes the stored picture, at a sensible size and without metadata.
     * @throws AppError 'unsupported-media'
     */
    async thumbnail(file: StagedFile, slot: UploadSlot): Promise<NewMedia> {
      const path = staging.newPath();
      try {
        const { contentType } = await makeThumbnail(file.path, path, decoders);
        const row = { name: randomName('webp'), slot: slot.name, contentType, ...(await digestOf(path)) };
        return { path, row };
      } catch (error) {
        await staging.discard({ path });
        throw error;
      }
    },

    /**
     * Publishes the files and runs `write` in one transaction with their rows. When this resolves, both are durable;
     * when it rejects, neither is kept. Sounds are queued, to be copied.
     */
    async saveInTransaction<T>(media: NewMedia[], write: (tx: Db) => Promise<T>): Promise<T> {
      const published: NewMedia[] = [];
      let written = false;
      try {
        for (const one of media) {
          // Listed first: a publish that fails halfway may still have left a file.
          published.push(one);
          await store.publish(one.path, one.row.name);
        }
        return await db.transaction(async (tx) => {
          const rows = media.map(({ row }) => row);
          if (rows.length > 0) await tx.insert(mediaFiles).values(rows);
          const sounds = rows.filter(({ durationMs, copyOf }) => durationMs && !copyOf);
          await queueCopies(
            tx,
            sounds.map(({ name }) => name),
          );
          const result = await write(tx);
          written = true;
          return result;
        });
      } catch (error) {
        // A connection that breaks during COMMIT leaves it unknown whether the rows exist. Then the files stay: the
        // sweep asks the database, and a stored recording must not lose its sound. With the store away, removing them
        // would keep the answer waiting as long again.
        const isLeftToSweep = written ? !isKnownToBeRolledBack(error) : isStoreAway(error);
        if (!isLeftToSweep) await unpublish(published);
        throw error;
      } finally {
        await Promise.all(media.map((one) => staging.discard(one)));
      }
    },

    /** Deletes staged files that will not be stored after all. */
    async discard(media: NewMedia[]): Promise<void> {
      await Promise.all(media.map((one) => staging.discard(one)));
    },

    /**
     * Deletes the rows of files, and of their copies, within the transaction that drops their owner.
     * @returns the files to remove once it has committed; none for a URL outside the store
     */
    async forget(tx: Db, names: (string | null)[]): Promise<string[]> {
      const present = names.filter((name) => name !== null);
      if (present.length === 0) return [];
      // Waits for a copy that is just being kept, and keeps others from coming.
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

    /** Deletes files after the transaction that deleted their rows has committed. */
    removeFiles,
  };
}

function asMedia(
  file: StagedFile,
  slot: UploadSlot,
  facts: AudioFacts,
  clientPeaks: string | undefined,
): NewMedia {
  return {
    path: file.path,
    row: {
      name: randomName(facts.extension),
      slot: slot.name,
      contentType: facts.contentType,
      size: file.size,
      sha256: file.sha256,
      durationMs: Math.round(facts.durationMs),
      peaks: facts.peaks ? Buffer.from(facts.peaks).toString('base64') : wellFormedPeaks(clientPeaks),
      seeksExactly: !facts.vbr,
    },
  };
}

/** 128 random bits: a name can't be guessed, though access is checked all the same. */
export const randomName = (extension: string) => `${randomBytes(16).toString('hex')}.${extension}`;

function isKnownToBeRolledBack(error: unknown): boolean {
  const state = sqlStateOf(error);
  // Classes 08 (connection) and 57 (server shutdown) can occur during COMMIT itself. So can a disk that fails under the
  // WAL: whatever ends the session, its code says nothing about the rows.
  return state !== null && !state.startsWith('08') && !state.startsWith('57') && !hasEndedSession(error);
}

const isStoreAway = (error: unknown) => error instanceof AppError && error.code === 'unavailable';

/** Peaks are cosmetic, so only their length is checked; re-encoded, since callers pad base64 as they like. */
function wellFormedPeaks(peaks: string | undefined): string | null {
  if (!peaks || !/^[A-Za-z0-9+/]+={0,2}$/.test(peaks)) return null;
  const bytes = Buffer.from(peaks, 'base64');
  return bytes.length === WAVEFORM_BARS ? bytes.toString('base64') : null;
}
