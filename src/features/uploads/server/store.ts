import { and, asc, eq, gt, lt, lte, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { uploadChunks, uploads, users } from '../../../db/schema.ts';

/** An upload is named by its owner and by what the owner's device called it. */
export type UploadKey = { ownerId: string; clientId: string };

const named = ({ ownerId, clientId }: UploadKey) =>
  and(eq(uploads.ownerId, ownerId), eq(uploads.clientId, clientId));
const chunkOf = ({ ownerId, clientId }: UploadKey) =>
  and(eq(uploadChunks.ownerId, ownerId), eq(uploadChunks.clientId, clientId));

/** Until the transaction ends, nothing else is begun for this owner. @returns null when there is no such user */
export async function holdOwner(tx: Db, id: string) {
  const [row] = await tx
    .select({ role: users.role })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update');
  return row ?? null;
}

export const insertUpload = (tx: Db, key: UploadKey, size: number, now: Date) =>
  tx.insert(uploads).values({ ...key, size, createdAt: now, grownAt: now });

export async function countUploads(db: Db, ownerId: string) {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(uploads)
    .where(eq(uploads.ownerId, ownerId));
  return row!.count;
}

/** Bytes that all uploads, of whomever, will have together that were begun or have grown since `since`. */
export async function sizeOfAllGrownSince(db: Db, since: Date) {
  const [row] = await db
    .select({ size: sql<string>`coalesce(sum(${uploads.size}), 0)` })
    .from(uploads)
    .where(gt(uploads.grownAt, since));
  return Number(row!.size);
}

/** The owner's upload that has not grown for longest. */
export async function longestAtRest(db: Db, ownerId: string) {
  const [row] = await db
    .select({ clientId: uploads.clientId, grownAt: uploads.grownAt })
    .from(uploads)
    .where(eq(uploads.ownerId, ownerId))
    .orderBy(asc(uploads.grownAt))
    .limit(1);
  return row ?? null;
}

/** Deletes that one, unless it has grown after `cutoff`. @returns whether it was deleted */
export async function deleteLongestAtRest(db: Db, ownerId: string, cutoff: Date) {
  const longest = await longestAtRest(db, ownerId);
  if (!longest) return false;
  const deleted = await db
    .delete(uploads)
    // Asked once more in here, for a chunk that comes at this moment.
    .where(and(named({ ownerId, clientId: longest.clientId }), lte(uploads.grownAt, cutoff)))
    .returning({ clientId: uploads.clientId });
  return deleted.length > 0;
}

/** Its size and how much of it is here; null when there is none. */
export async function findUpload(db: Db, key: UploadKey) {
  const [row] = await db.select({ size: uploads.size }).from(uploads).where(named(key));
  return row ? { size: row.size, received: await receivedOf(db, key) } : null;
}

/** As {@link findUpload}; until the transaction ends nobody else adds a chunk. */
export async function lockUpload(tx: Db, key: UploadKey) {
  const [row] = await tx.select({ size: uploads.size }).from(uploads).where(named(key)).for('update');
  return row ? { size: row.size, received: await receivedOf(tx, key) } : null;
}

async function receivedOf(db: Db, key: UploadKey) {
  const [row] = await db
    .select({ received: sql<number>`coalesce(sum(octet_length(${uploadChunks.bytes})), 0)::int` })
    .from(uploadChunks)
    .where(chunkOf(key));
  return row!.received;
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

/** The bytes in their order, a chunk at a time, so that no file is in memory as a whole. */
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

/** @returns whether it was there */
export async function deleteUpload(db: Db, key: UploadKey) {
  const deleted = await db.delete(uploads).where(named(key)).returning({ clientId: uploads.clientId });
  return deleted.length > 0;
}

export const deleteUploadsBefore = (db: Db, { grown, begun }: { grown: Date; begun: Date }) =>
  db.delete(uploads).where(or(lt(uploads.grownAt, grown), lt(uploads.createdAt, begun)));
