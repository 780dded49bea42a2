import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inArray } from 'drizzle-orm';
import { sqlStateOf, type Db } from '../../../db/database.ts';
import { mediaFiles } from '../../../db/schema.ts';
import { WAVEFORM_BARS, type UploadSlot } from '../../contract/media.ts';
import { inspectAudio } from '../audio/inspect.ts';
import { makeThumbnail } from '../image/thumbnail.ts';
import { oneAtATimeForEach } from '../concurrency.ts';
import type { Log } from '../log.ts';
import type { StagedFile, Staging } from './staging.ts';
import type { MediaStore } from './store.ts';

/** A staged file that is known and may be kept: its row, and where it lies. */
export type NewMedia = { path: string; row: typeof mediaFiles.$inferInsert };

export type Media = ReturnType<typeof mediaKeeper>;

/**
 * Keeps files and the rows that name them as one unit: first the file is made durable, then the transaction with its
 * rows commits. A crash between the two leaves a file that nothing names, which the sweep removes; never a row
 * without its file.
 */
export function mediaKeeper(deps: {
  db: Db;
  store: MediaStore;
  staging: Staging;
  ffmpegPath: string | null;
  log: Log;
}) {
  const { db, store, staging, log } = deps;
  const inTurnOf = oneAtATimeForEach();

  /** Removes published files whose rows were refused. */
  async function takeBack(media: NewMedia[]) {
    await removeFiles(media.map(({ row }) => row.name));
  }

  async function removeFiles(names: string[]) {
    for (const name of names) {
      try {
        await store.remove(name);
      } catch (error) {
        log.warn({ error, name }, 'a file could not be removed; the next sweep will');
      }
    }
  }

  return {
    /**
     * Measures an audio file. One person's files are measured one after the other, so that nobody can hold up all.
     * @param uploaderId whose file it is
     * @param clientPeaks the uploader's waveform, taken only where the server has no decoder for the format
     * @throws AppError 'unsupported-media', or 'bad-input' when it is too long
     */
    async audio(
      file: StagedFile,
      slot: UploadSlot,
      uploaderId: string,
      clientPeaks?: string,
    ): Promise<NewMedia> {
      const rules = {
        maxSeconds: slot.maxSeconds ?? Infinity,
        ...(slot.audioKinds && { kinds: slot.audioKinds }),
      };
      const facts = await inTurnOf(uploaderId, () =>
        inspectAudio(file.path, rules, { ffmpegPath: deps.ffmpegPath }),
      );
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
        },
      };
    },

    /**
     * Makes the picture that is kept, at a sensible size and without what a camera wrote into it.
     * @throws AppError 'unsupported-media'
     */
    async thumbnail(file: StagedFile, slot: UploadSlot): Promise<NewMedia> {
      const path = staging.newPath();
      try {
        const { contentType } = await makeThumbnail(file.path, path);
        const bytes = await readFile(path);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        return {
          path,
          row: { name: randomName('webp'), slot: slot.name, contentType, size: bytes.length, sha256 },
        };
      } catch (error) {
        await staging.discard({ path });
        throw error;
      }
    },

    /**
     * Publishes the files and runs `write` in one transaction with their rows.
     * When this resolves, both are durable; when it rejects, neither is kept.
     */
    async keepWith<T>(media: NewMedia[], write: (tx: Db) => Promise<T>): Promise<T> {
      const published: NewMedia[] = [];
      let written = false;
      try {
        for (const one of media) {
          // Listed first: a publish that fails halfway may still have left a file.
          published.push(one);
          await store.publish(one.path, one.row.name);
        }
        return await db.transaction(async (tx) => {
          if (media.length > 0) await tx.insert(mediaFiles).values(media.map(({ row }) => row));
          const result = await write(tx);
          written = true;
          return result;
        });
      } catch (error) {
        // A line that broke during COMMIT leaves it open whether the rows exist. Then the files stay: the sweep asks
        // the database, and a recording that was kept must not lose its sound.
        if (!written || isKnownToBeRolledBack(error)) await takeBack(published);
        throw error;
      } finally {
        await Promise.all(media.map((one) => staging.discard(one)));
      }
    },

    /** Deletes the rows of files within the transaction that drops their owner. */
    async forget(tx: Db, names: (string | null)[]): Promise<string[]> {
      const present = names.filter((name) => name !== null);
      if (present.length > 0) await tx.delete(mediaFiles).where(inArray(mediaFiles.name, present));
      return present;
    },

    /** Deletes files after the transaction that forgot them has committed. */
    removeFiles,

    /** Deletes files and staged uploads from before `cutoff` that no row names: what a crash left over. */
    async sweep(cutoff: Date): Promise<{ files: number; staged: number }> {
      let files = 0;
      let batch: string[] = [];
      const removeUnnamed = async () => {
        const rows = await db
          .select({ name: mediaFiles.name })
          .from(mediaFiles)
          .where(inArray(mediaFiles.name, batch));
        const named = new Set(rows.map((row) => row.name));
        const orphans = batch.filter((name) => !named.has(name));
        await removeFiles(orphans);
        files += orphans.length;
        batch = [];
      };
      for await (const { name, publishedAt } of store.list()) {
        if (publishedAt < cutoff) batch.push(name);
        if (batch.length >= 500) await removeUnnamed();
      }
      if (batch.length > 0) await removeUnnamed();
      return { files, staged: await staging.sweep(cutoff) };
    },
  };
}

/** 128 random bits: a name can't be guessed, though access is checked all the same. */
const randomName = (extension: string) => `${randomBytes(16).toString('hex')}.${extension}`;

function isKnownToBeRolledBack(error: unknown): boolean {
  const state = sqlStateOf(error);
  // Classes 08 (connection) and 57 (the server goes down) can strike during COMMIT itself.
  return state !== null && !state.startsWith('08') && !state.startsWith('57');
}

/** Peaks are cosmetic, so their shape is all that is checked. */
function wellFormedPeaks(peaks: string | undefined): string | null {
  if (!peaks || !/^[A-Za-z0-9+/]+=*$/.test(peaks)) return null;
  return Buffer.from(peaks, 'base64').length === WAVEFORM_BARS ? peaks : null;
}
