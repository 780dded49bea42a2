import { and, asc, desc, eq, gt, lt, lte, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { uploadChunks, uploads, users } from '../../../db/schema.ts';
import type { SlotName } from '../limits.ts';

/** An upload is identified by its owner and the id that the owner's device gave it. */
export type UploadKey = { ownerId: string; clientId: string };

const named = ({ ownerId, clientId }: UploadKey) =>
  and(eq(uploads.ownerId, ownerId), eq(uploads.clientId, clientId));
const chunkOf = ({ ownerId, clientId }: UploadKey) =>
  and(eq(uploadChunks.ownerId, ownerId), eq(uploadChunks.clientId, clientId));

/** Locks the owner, so that concurrent calls cannot begin another upload. @returns null if the user does not exist */
export async function holdOwner(tx: Db, id: string) {
  const [row] = await tx
    .select({ role: users.role })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update');
  return row ?? null;
}

/** Size (in bytes) and slot, as declared when the upload begins. */
export type Announced = { size: number; slot: SlotName };

export const insertUpload = (tx: Db, key: UploadKey, announced: Announced, now: Date) =>
  tx.insert(uploads).values({ ...key, ...announced, createdAt: now, grownAt: now });

/** How many uploads an owner has under way, and their total size in bytes once complete. */
export async function sumOfUploads(db: Db, ownerId: string) {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<string>`coalesce(sum(${uploads.size}), 0)`,
    })
    .from(uploads)
    .where(eq(uploads.ownerId, ownerId));
  return { count: row!.count, bytes: Number(row!.bytes) };
}

/** Total size in bytes, once complete, of all users' uploads that were begun or have grown since `since`. */
export async function sizeOfAllGrownSince(db: Db, since: Date) {
  const [row] = await db
    .select({ size: sql<string>`coalesce(sum(${uploads.size}), 0)` })
    .from(uploads)
    .where(gt(uploads.grownAt, since));
  return Number(row!.size);
}

/** The owner's longest idle upload; null when there is none. */
export async function longestAtRest(db: Db, ownerId: string) {
  const [row] = await db
    .select({ clientId: uploads.clientId, grownAt: uploads.grownAt })
    .from(uploads)
    .where(eq(uploads.ownerId, ownerId))
    .orderBy(asc(uploads.grownAt))
    .limit(1);
  return row ?? null;
}

/** Deletes the owner's longest idle upload, unless it has grown after `cutoff`. @returns whether it was deleted */
export async function deleteLongestAtRest(db: Db, ownerId: string, cutoff: Date) {
  const longest = await longestAtRest(db, ownerId);
  if (!longest) return false;
  const deleted = await db
    .delete(uploads)
    // Checked again here, in case a chunk has just arrived.
    .where(and(named({ ownerId, clientId: longest.clientId }), lte(uploads.grownAt, cutoff)))
    .returning({ clientId: uploads.clientId });
  return deleted.length > 0;
}

const announced = { size: uploads.size, slot: uploads.slot };

/** The declared size and slot, and the bytes received so far; null when there is no such upload. */
export async function findUpload(db: Db, key: UploadKey) {
  const [row] = await db.select(announced).from(uploads).where(named(key));
  return row ? { ...row, received: await receivedOf(db, key) } : null;
}

/** Like {@link findUpload}, and locks the upload: nobody else can add a chunk until the transaction ends. */
export async function lockUpload(tx: Db, key: UploadKey) {
  const [row] = await tx.select(announced).from(uploads).where(named(key)).for('update');
  return row ? { ...row, received: await receivedOf(tx, key) } : null;
}

/** The end of the last chunk: chunks are contiguous, and a large file has thousands. */
async function receivedOf(db: Db, key: UploadKey) {
  const [last] = await db
    .select({ end: sql<number>`${uploadChunks.start} + octet_length(${uploadChunks.bytes})` })
    .from(uploadChunks)
    .where(chunkOf(key))
    .orderBy(desc(uploadChunks.start))
    .limit(1);
  return last?.end ?? 0;
}

export async function insertChunk(
  tx: Db,
  key: UploadKey,
  chunk: { start: number; bytes: Buffer },
  now: Date,
) {
  await tx.insert(uploadChunks).values({ ...key, ...chunk });
  await tx.update(uploads).set({ grownAt: now }).where(named(key));
}

/** The bytes in order, one chunk at a time, so that the whole file is never in memory. */
export async function* chunksOf(db: Db, key: UploadKey): AsyncGenerator<Buffer> {
  let last = -1;
  for (;;) {
    const [chunk] = await db
      .select({ start: uploadChunks.start, bytes: uploadChunks.bytes })
      .from(uploadChunks)
      .where(and(chunkOf(key), gt(uploadChunks.start, last)))
      .orderBy(asc(uploadChunks.start))
      .limit(1);
    if (!chunk) return;
    yield chunk.bytes;
    last = chunk.start;
  }
}

/** @returns whether the upload existed */
export async function deleteUpload(db: Db, key: UploadKey) {
  const deleted = await db.delete(uploads).where(named(key)).returning({ clientId: uploads.clientId });
  return deleted.length > 0;
}

export const deleteUploadsBefore = (db: Db, { grown, begun }: { grown: Date; begun: Date }) =>
  db.delete(uploads).where(or(lt(uploads.grownAt, grown), lt(uploads.createdAt, begun)));
