import { desc, lt } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { auditLog } from '../../../db/schema.ts';
import { AUDIT_PAGE_SIZE } from '../limits.ts';

export type NewEntry = Omit<typeof auditLog.$inferInsert, 'id' | 'at'>;

export const insertEntry = (db: Db, entry: NewEntry) => db.insert(auditLog).values(entry);

/** Newest first; only those older than entry `before`, if given. */
export const listEntries = (db: Db, before?: number) =>
  db
    .select()
    .from(auditLog)
    .where(before === undefined ? undefined : lt(auditLog.id, before))
    .orderBy(desc(auditLog.id))
    .limit(AUDIT_PAGE_SIZE);
