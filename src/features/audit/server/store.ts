import { desc, lt } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { auditLog } from '../../../db/schema.ts';
import { pageById } from '../../../platform/server/page.ts';
import { AUDIT_PAGE_SIZE } from '../limits.ts';

export type NewEntry = Omit<typeof auditLog.$inferInsert, 'id' | 'at'>;

export const insertEntry = (db: Db, entry: NewEntry) => db.insert(auditLog).values(entry);

/** Newest first; only those older than entry `before`, if given. */
export async function listEntries(db: Db, before?: number) {
  const rows = await db
    .select()
    .from(auditLog)
    .where(before === undefined ? undefined : lt(auditLog.id, before))
    .orderBy(desc(auditLog.id))
    .limit(AUDIT_PAGE_SIZE + 1);
  return pageById(rows, AUDIT_PAGE_SIZE, await db.$count(auditLog));
}
