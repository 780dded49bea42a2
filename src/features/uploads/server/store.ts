import { and, asc, eq, gt, lt, lte, or, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { uploads, users } from '#server/db/schema.ts';
import type { UploadSlotName } from '#shared/kinds.ts';

/** Identifies an upload by its owner and the id that the owner's device chose. */
export type UploadKey = { ownerId: string; clientId: string };

const matchesKey = ({ ownerId, clientId }: UploadKey) =>
  and(eq(uploads.ownerId, ownerId), eq(uploads.clientId, clientId));

/**
 * Locks the owner, so that concurrent calls can't start another upload.
 * @returns the owner's role, or null if the user does not exist
 */
export async function lockUploadOwner(tx: Db, id: string) {
  const [row] = await tx
    .select({ role: users.role })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update');
  return row ?? null;
}

const columns = { size: uploads.size, slot: uploads.slot, received: uploads.received, file: uploads.file };

/** Size (in bytes) and slot, as declared when the upload starts. */
export type DeclaredUpload = { size: number; slot: UploadSlotName };

export async function insertUpload(tx: Db, key: UploadKey, announced: DeclaredUpload, now: Date) {
  const [row] = await tx
    .insert(uploads)
    .values({ ...key, ...announced, createdAt: now, grownAt: now })
    .returning(columns);
  return row!;
}

/** Returns the number of an owner's open uploads and the sum of their declared sizes, in bytes. */
export async function getOpenUploadTotals(db: Db, ownerId: string) {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<string>`coalesce(sum(${uploads.size}), 0)`,
    })
    .from(uploads)
    .where(eq(uploads.ownerId, ownerId));
  return { count: row!.count, bytes: Number(row!.bytes) };
}

/**
 * Returns the sum of the declared sizes, in bytes, of all users' uploads that were started or have grown since
 * `since`.
 */
export async function sumSizesOfUploadsActiveSince(db: Db, since: Date) {
  const [row] = await db
    .select({ size: sql<string>`coalesce(sum(${uploads.size}), 0)` })
    .from(uploads)
    .where(gt(uploads.grownAt, since));
  return Number(row!.size);
}

/** Counts all users' uploads and their received bytes. Reads at most `limit` rows, to bound the cost. */
export async function getAllUploadTotals(db: Db, limit: number) {
  const some = db.select({ received: uploads.received }).from(uploads).limit(limit).as('some');
  const [row] = await db
    .select({ count: sql<number>`count(*)::int`, bytes: sql<string>`coalesce(sum(${some.received}), 0)` })
    .from(some);
  return { count: row!.count, bytes: Number(row!.bytes) };
}

/** Returns the owner's upload that has been idle longest; null if there is none. */
export async function findLongestIdleUpload(db: Db, ownerId: string) {
  const [row] = await db
    .select({ clientId: uploads.clientId, grownAt: uploads.grownAt })
    .from(uploads)
    .where(eq(uploads.ownerId, ownerId))
    .orderBy(asc(uploads.grownAt))
    .limit(1);
  return row ?? null;
}

/**
 * Deletes the owner's upload that has been idle longest, unless it has grown after `cutoff`.
 * @returns the file of the deleted upload; null if none was deleted
 */
export async function deleteLongestIdleUpload(db: Db, ownerId: string, cutoff: Date) {
  const longest = await findLongestIdleUpload(db, ownerId);
  if (!longest) return null;
  const deleted = await db
    .delete(uploads)
    // Checks again, in case a chunk has just arrived.
    .where(and(matchesKey({ ownerId, clientId: longest.clientId }), lte(uploads.grownAt, cutoff)))
    .returning({ file: uploads.file });
  return deleted[0]?.file ?? null;
}

/**
 * Returns the declared size and slot, the bytes received so far and their file; null if there is no such
 * upload.
 */
export async function findUpload(db: Db, key: UploadKey) {
  const [row] = await db.select(columns).from(uploads).where(matchesKey(key));
  return row ?? null;
}

/** Like {@link findUpload}, but locks the upload: nobody else can add a chunk until the transaction ends. */
export async function lockUpload(tx: Db, key: UploadKey) {
  const [row] = await tx.select(columns).from(uploads).where(matchesKey(key)).for('update');
  return row ?? null;
}

/** Updates the number of received bytes after a chunk has become durable. */
export const setReceivedBytes = (tx: Db, key: UploadKey, received: number, now: Date) =>
  tx.update(uploads).set({ received, grownAt: now }).where(matchesKey(key));

/**
 * Resets an upload whose file has lost chunks, so that the next chunk starts at 0. Does nothing if the upload
 * now has another file.
 */
export const resetUpload = (db: Db, key: UploadKey, file: string) =>
  db
    .update(uploads)
    .set({ received: 0 })
    .where(and(matchesKey(key), eq(uploads.file, file)));

/** @returns the upload's file, or null if there was no upload */
export async function deleteUpload(db: Db, key: UploadKey) {
  const [deleted] = await db.delete(uploads).where(matchesKey(key)).returning({ file: uploads.file });
  return deleted?.file ?? null;
}

export const deleteStaleUploads = (
  db: Db,
  { idleSince, createdBefore }: { idleSince: Date; createdBefore: Date },
) => db.delete(uploads).where(or(lt(uploads.grownAt, idleSince), lt(uploads.createdAt, createdBefore)));

/** Returns which of these files belong to an upload. */
export async function filterUploadFiles(db: Db, files: string[]) {
  const rows = await db
    .select({ file: uploads.file })
    .from(uploads)
    .where(sql`${uploads.file} = any(${sql.param(files)})`);
  return new Set(rows.map(({ file }) => file));
}
