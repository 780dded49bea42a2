import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { notices } from '../../db/schema.ts';
import { ADMINS, announceChange } from './changes.ts';

export type Notice = typeof notices.$inferSelect;
export type NoticeKind = Notice['kind'];

export type Notices = ReturnType<typeof noticesIn>;

/** Notices to the teacher about the installation itself: shared by all processes, at most one of each kind. */
export function noticesIn(db: Db) {
  return {
    /** Raises or updates a notice; `since` stays. Open pages are notified, unless nothing has changed. */
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
        if (changed.length > 0) await announceChange(tx, CHANGE);
      }),

    /** A no-op if there was none. */
    clear: (kind: NoticeKind): Promise<void> =>
      db.transaction(async (tx) => {
        const gone = await tx.delete(notices).where(eq(notices.kind, kind)).returning({ kind: notices.kind });
        if (gone.length > 0) await announceChange(tx, CHANGE);
      }),

    /** Oldest first. */
    list: (): Promise<Notice[]> => db.select().from(notices).orderBy(asc(notices.since)),
  };
}

const CHANGE = { to: ADMINS, refreshes: ['/api/admin/notices'] } as const;
