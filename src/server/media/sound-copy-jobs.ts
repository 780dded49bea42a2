import { and, desc, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { soundCopyJobs, mediaFiles } from '../db/schema.ts';
import { createJobQueue } from '../jobs/job-queue.ts';

/**
 * Creates the queue of audio files to copy. The newest files are copied first, because users listen to them
 * first.
 */
export const createSoundCopyJobQueue = (db: Db) =>
  createJobQueue(db, soundCopyJobs, { order: [desc(soundCopyJobs.id)] });

/**
 * Queues audio files to be copied after the transaction has committed. Skips files that are already in the
 * queue.
 */
export async function queueSoundCopies(tx: Db, originals: string[]): Promise<void> {
  if (originals.length === 0) return;
  const jobs = originals.map((original) => ({ original }));
  await tx.insert(soundCopyJobs).values(jobs).onConflictDoNothing();
}

/**
 * Finds the audio file of a copy job.
 * @returns null if the file has just been deleted, together with its job
 */
export async function findOriginalSound(db: Db, name: string) {
  const [sound] = await db
    .select({
      name: mediaFiles.name,
      slot: mediaFiles.slot,
      size: mediaFiles.size,
      sha256: mediaFiles.sha256,
      durationMs: mediaFiles.durationMs,
      seeksExactly: mediaFiles.seeksExactly,
    })
    .from(mediaFiles)
    .where(eq(mediaFiles.name, name));
  return sound ? { ...sound, durationMs: sound.durationMs ?? 0 } : null;
}

/** Returns the existing copies of an audio file. */
export const listSoundCopies = (db: Db, original: string) =>
  db
    .select({ name: mediaFiles.name, copy: mediaFiles.copy, size: mediaFiles.size })
    .from(mediaFiles)
    .where(eq(mediaFiles.copyOf, original));

/**
 * Deletes the rows of damaged copies, and queues their originals again.
 * @returns the names of the files to remove
 */
export async function deleteDamagedSoundCopies(tx: Db): Promise<string[]> {
  const gone = await tx
    .delete(mediaFiles)
    .where(and(isNotNull(mediaFiles.copyOf), isNotNull(mediaFiles.damage)))
    .returning({ name: mediaFiles.name, original: mediaFiles.copyOf });
  const originals = await tx
    .select({ name: mediaFiles.name })
    .from(mediaFiles)
    .where(
      inArray(
        mediaFiles.name,
        gone.map(({ original }) => original!),
      ),
    );
  await queueSoundCopies(
    tx,
    originals.map(({ name }) => name),
  );
  return gone.map(({ name }) => name);
}
