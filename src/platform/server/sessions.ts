import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lt, ne, sql, type SQL } from 'drizzle-orm';
import { userColumns } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { sessions, users } from '../../db/schema.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Sessions last 30 days from when they were last used … */
export const SESSION_SECONDS = (30 * DAY_MS) / 1000;

/** … but are prolonged at most once a day, so that reading a page does not write. */
const PROLONG_AFTER_MS = DAY_MS;

/** The signed-in user, as the database holds it at this request. Never the password. */
export type Caller = Omit<typeof users.$inferSelect, 'password' | 'foldedName'>;

export type Sessions = ReturnType<typeof sessionsOf>;

/** Sessions in the database. The id that the browser holds is stored hashed only. */
export function sessionsOf(db: Db) {
  return {
    /** @returns the id for the cookie, 32 random bytes in base64url */
    async start(userId: string, now: Date): Promise<string> {
      const id = randomBytes(32).toString('base64url');
      await db.insert(sessions).values({ sid: hashed(id), sess: { userId }, expire: expiry(now) });
      return id;
    },

    /**
     * As `start`, for one whose password was just found right: null when it was changed, or the user disabled, since
     * it was read. Whoever changes either ends the user's sessions, and this one must not slip in behind that; the
     * lock on the user's row makes the two wait for each other.
     */
    async startIfUnchanged(user: { id: string; password: string }, now: Date): Promise<string | null> {
      const id = randomBytes(32).toString('base64url');
      const { rowCount } = await db.execute(sql`
        insert into sessions (sid, sess, expire)
        select ${hashed(id)}, jsonb_build_object('userId', users.id), ${expiry(now)}
        from users where users.id = ${user.id} and users.password = ${user.password} and users.is_active
        for share`);
      return rowCount === 1 ? id : null;
    },

    /**
     * Who holds this session: an expired one and that of a disabled user are nobody's.
     * @param prolong whether this counts as using it; the cookie must be prolonged along
     */
    async find(
      id: string,
      now: Date,
      { prolong }: { prolong: boolean },
    ): Promise<{ caller: Caller; prolonged: boolean } | null> {
      const [found] = await db
        .select({ user: userColumns, expire: sessions.expire })
        .from(sessions)
        .innerJoin(users, eq(users.id, sql`${sessions.sess} ->> 'userId'`))
        .where(and(eq(sessions.sid, hashed(id)), gt(sessions.expire, now), users.isActive))
        .limit(1);
      if (!found) return null;
      const prolonged = prolong && expiry(now).getTime() - found.expire.getTime() > PROLONG_AFTER_MS;
      if (prolonged) {
        await db
          .update(sessions)
          .set({ expire: expiry(now) })
          .where(eq(sessions.sid, hashed(id)));
      }
      return { caller: found.user, prolonged };
    },

    async end(id: string): Promise<void> {
      await db.delete(sessions).where(eq(sessions.sid, hashed(id)));
    },

    /** Ends every session of a user, or all but the one that is in use. */
    async endAllOf(userId: string, except?: string): Promise<void> {
      const others: SQL | undefined = except ? ne(sessions.sid, hashed(except)) : undefined;
      await db.delete(sessions).where(and(eq(sql`${sessions.sess} ->> 'userId'`, userId), others));
    },

    async forgetExpired(now: Date): Promise<void> {
      await db.delete(sessions).where(lt(sessions.expire, now));
    },
  };
}

const hashed = (id: string) => createHash('sha256').update(id).digest('hex');
const expiry = (now: Date) => new Date(now.getTime() + SESSION_SECONDS * 1000);
