import { and, desc, eq, getTableColumns, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '#server/db/database.ts';
import { auditLog } from '#server/db/schema.ts';
import { paginateById } from '#server/db/page.ts';
import { AUDIT_PAGE_SIZE } from '../limits.ts';

export type NewAuditEntry = Omit<typeof auditLog.$inferInsert, 'id' | 'at'>;

export const insertEntry = (db: Db, entry: NewAuditEntry) => db.insert(auditLog).values(entry);

const other = alias(auditLog, 'other');

/**
 * Matches the entries of one admin's bulk action. The client chooses the batch id, so matching by the id alone
 * would mix the entries of different admins. Granting and revoking count as one action per level.
 */
const isOfSameBatch = and(
  eq(other.batch, auditLog.batch),
  sql`${other.actorId} is not distinct from ${auditLog.actorId}`,
  eq(other.action, auditLog.action),
  sql`(${auditLog.action} not in ('level-granted', 'level-revoked') or ${other.detail} = ${auditLog.detail})`,
);
const isNewestOfBatch = or(
  isNull(auditLog.batch),
  not(
    sql`exists (select from ${auditLog} as other where ${and(isOfSameBatch, sql`${other.id} > ${auditLog.id}`)})`,
  ),
);

/**
 * Returns a page of entries older than entry `before`, newest first. Each batch is represented by its newest
 * entry.
 */
export async function listEntries(db: Db, before?: number) {
  const rows = await selectEntries(
    db,
    and(isNewestOfBatch, before === undefined ? undefined : lt(auditLog.id, before)),
  );
  const found = rows.map(({ sharesDetail, ...entry }) => ({
    ...entry,
    detail: sharesDetail ? entry.detail : null,
  }));
  return paginateById(found, AUDIT_PAGE_SIZE, await db.$count(auditLog, isNewestOfBatch));
}

/** Returns a page of the entries in the same batch as the given entry, newest first. */
export async function listBatchEntries(db: Db, id: number, before?: number) {
  const isWithin = sql`exists (select from ${auditLog} as other where ${and(eq(other.id, id), isOfSameBatch)})`;
  const rows = await selectEntries(
    db,
    and(isWithin, before === undefined ? undefined : lt(auditLog.id, before)),
  );
  const found = rows.map(({ sharesDetail: _, ...entry }) => ({ ...entry, count: 1 }));
  return paginateById(found, AUDIT_PAGE_SIZE, await db.$count(auditLog, isWithin));
}

function selectEntries(db: Db, where: SQL | undefined) {
  const batch = db
    .select({
      count: sql<number>`greatest(count(*), 1)::int`.as('entries'),
      sharesDetail: sql<boolean>`count(distinct coalesce(${other.detail}, '')) < 2`.as('shares_detail'),
    })
    .from(other)
    .where(isOfSameBatch)
    .as('of_batch');
  return db
    .select({ ...getTableColumns(auditLog), count: batch.count, sharesDetail: batch.sharesDetail })
    .from(auditLog)
    .crossJoinLateral(batch)
    .where(where)
    .orderBy(desc(auditLog.id))
    .limit(AUDIT_PAGE_SIZE + 1);
}
