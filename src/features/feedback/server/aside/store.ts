import { and, asc, count, eq, gt } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { recordings, recordingsPutAside } from '#server/db/schema.ts';
import { pageOf } from '#server/db/page.ts';
import { ASIDE_PAGE } from '#features/feedback/limits.ts';

/** By recording. */
export async function listAside(db: Db, adminId: string, after: readonly [number] | undefined) {
  const isListed = and(eq(recordingsPutAside.adminId, adminId), eq(recordings.status, 'pending'));
  const rows = await db
    .select({ recordingId: recordingsPutAside.recordingId, until: recordingsPutAside.until })
    .from(recordingsPutAside)
    .innerJoin(recordings, eq(recordings.id, recordingsPutAside.recordingId))
    .where(and(isListed, after && gt(recordingsPutAside.recordingId, after[0])))
    .orderBy(asc(recordingsPutAside.recordingId))
    .limit(ASIDE_PAGE + 1);
  const [counted] = await db
    .select({ total: count() })
    .from(recordingsPutAside)
    .innerJoin(recordings, eq(recordings.id, recordingsPutAside.recordingId))
    .where(isListed);
  return pageOf(rows, ASIDE_PAGE, counted!.total, (last) => ({ after: [last.recordingId] }));
}

export const putAside = (db: Db, row: typeof recordingsPutAside.$inferInsert) =>
  db
    .insert(recordingsPutAside)
    .values(row)
    .onConflictDoUpdate({
      target: [recordingsPutAside.recordingId, recordingsPutAside.adminId],
      set: { until: row.until },
    });

export const takeUp = (db: Db, recordingId: number, adminId: string) =>
  db
    .delete(recordingsPutAside)
    .where(and(eq(recordingsPutAside.recordingId, recordingId), eq(recordingsPutAside.adminId, adminId)));
