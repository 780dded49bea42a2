import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { notices } from '../../db/schema.ts';

export type Notice = typeof notices.$inferSelect;
export type NoticeKind = Notice['kind'];

export type Notices = ReturnType<typeof noticesIn>;

/** What the teacher has to be told about the installation itself: shared by all processes, at most one of a kind. */
export function noticesIn(db: Db) {
  return {
    /** Says it anew with these figures; `since` stays what it was. */
    async raise(kind: NoticeKind, detail: Record<string, number> = {}): Promise<void> {
      await db
        .insert(notices)
        .values({ kind, detail })
        .onConflictDoUpdate({ target: notices.kind, set: { detail: sql`excluded.detail` } });
    },

    /** It is over. Fine when there was none. */
    async clear(kind: NoticeKind): Promise<void> {
      await db.delete(notices).where(eq(notices.kind, kind));
    },

    /** Oldest first. */
    list: (): Promise<Notice[]> => db.select().from(notices).orderBy(asc(notices.since)),
  };
}
