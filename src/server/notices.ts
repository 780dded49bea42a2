import { asc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from './db/database.ts';
import { notices } from './db/schema.ts';
import { ALL_ADMINS, announceChange } from './db/changes.ts';

type Row = typeof notices.$inferSelect;
export type NoticeRow = Pick<Row, 'kind' | 'detail' | 'since'>;
export type NoticeKind = NoticeRow['kind'];

export type NoticesService = ReturnType<typeof createNoticesService>;

/**
 * Creates the service for notices to the teacher about the installation itself. All processes share the
 * notices. There is at most one of each kind.
 */
export function createNoticesService(db: Db) {
  return {
    /**
     * Raises a notice. If the notice exists already, updates its details but keeps its time. Notifies open
     * pages if anything has changed.
     */
    raise: (kind: NoticeKind, detail: Record<string, number> = {}): Promise<void> =>
      db.transaction(async (tx) => {
        const changed = await tx
          .insert(notices)
          .values({ kind, detail })
          .onConflictDoUpdate({
            target: notices.kind,
            set: { detail: sql`excluded.detail` },
            setWhere: sql`${notices.detail} <> excluded.detail`,
          })
          .returning({ kind: notices.kind });
        if (changed.length > 0) await announceChange(tx, NOTICES_CHANGE);
      }),

    /** Clears a notice. A no-op if there is no notice of this kind. */
    clear: (kind: NoticeKind): Promise<void> =>
      db.transaction(async (tx) => {
        const gone = await tx.delete(notices).where(eq(notices.kind, kind)).returning({ kind: notices.kind });
        if (gone.length > 0) await announceChange(tx, NOTICES_CHANGE);
      }),

    /** Returns the notices, oldest first, without those dismissed in the last three months. */
    list: (): Promise<NoticeRow[]> =>
      db
        .select({ kind: notices.kind, detail: notices.detail, since: notices.since })
        .from(notices)
        .where(or(isNull(notices.dismissedAt), lt(notices.dismissedAt, DISMISSAL_EXPIRY)))
        .orderBy(asc(notices.since)),

    /** Hides a notice from all teachers for three months, or until it is cleared and raised again. */
    dismiss: (kind: NoticeKind): Promise<void> =>
      db.transaction(async (tx) => {
        await tx
          .update(notices)
          .set({ dismissedAt: sql`now()` })
          .where(eq(notices.kind, kind));
        await announceChange(tx, NOTICES_CHANGE);
      }),
  };
}

const DISMISSAL_EXPIRY = sql`now() - interval '3 months'`;

const NOTICES_CHANGE = { to: ALL_ADMINS, refreshes: ['/api/admin/notices'] } as const;
