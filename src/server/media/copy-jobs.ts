import { and, desc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { copyJobs, mediaFiles } from '../db/schema.ts';

const columns = { id: copyJobs.id, original: copyJobs.original, attempts: copyJobs.attempts };

/** A job leased by a worker, and the sound that it is about. */
export type CopyJob = NonNullable<Awaited<ReturnType<typeof takeDue>>>;

/** Queues sounds, to be copied once the transaction has committed. One that waits already waits once. */
export async function queueCopies(tx: Db, originals: string[]): Promise<void> {
  if (originals.length === 0) return;
  const jobs = originals.map((original) => ({ original }));
  await tx.insert(copyJobs).values(jobs).onConflictDoNothing();
}

/**
 * Leases the sound that was queued last; if the worker dies, it falls due again when the lease expires.
 * @returns null if none is due that nobody else has leased
 */
export async function takeDue(db: Db, now: Date, lease: Date) {
  const due = db
    .select({ id: copyJobs.id })
    .from(copyJobs)
    .where(lte(copyJobs.dueAt, now))
    .orderBy(desc(copyJobs.id))
    .limit(1)
    .for('update', { skipLocked: true });
  const [job] = await db
    .update(copyJobs)
    .set({ dueAt: lease, attempts: sql`${copyJobs.attempts} + 1` })
    .where(eq(copyJobs.id, due))
    .returning(columns);
  if (!job) return null;
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
    .where(eq(mediaFiles.name, job.original));
  // Deleted a moment ago, and the job with it.
  return sound ? { ...job, sound: { ...sound, durationMs: sound.durationMs ?? 0 } } : null;
}

/** The copies that there are of a sound. */
export const copiesOf = (db: Db, original: string) =>
  db
    .select({ name: mediaFiles.name, copy: mediaFiles.copy, size: mediaFiles.size })
    .from(mediaFiles)
    .where(eq(mediaFiles.copyOf, original));

export const renewLease = (db: Db, { id }: CopyJob, lease: Date) =>
  db.update(copyJobs).set({ dueAt: lease }).where(eq(copyJobs.id, id));

/** @param attempts how many of them count */
export const tryLater = (db: Db, { id }: CopyJob, { dueAt, attempts }: { dueAt: Date; attempts: number }) =>
  db.update(copyJobs).set({ dueAt, attempts }).where(eq(copyJobs.id, id));

export const settle = (db: Db, { id }: CopyJob) => db.delete(copyJobs).where(eq(copyJobs.id, id));

/** Forgets damaged copies, and queues their originals again. @returns the files to remove */
export async function forgetDamaged(tx: Db): Promise<string[]> {
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
  await queueCopies(
    tx,
    originals.map(({ name }) => name),
  );
  return gone.map(({ name }) => name);
}
