import { hash, randomBytes } from 'node:crypto';
import { and, desc, eq, gt, lt, ne, notInArray, sql, type SQL } from 'drizzle-orm';
import { receivedLevels, userColumns } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { library, sessions, users } from '../../db/schema.ts';
import { inBatches } from './batches.ts';
import { lookAgain } from './changes.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Sessions last 30 days from their last use … */
export const SESSION_SECONDS = (30 * DAY_MS) / 1000;

/** … but are extended at most once a day, so that reading a page does not write. */
const PROLONG_AFTER_MS = DAY_MS;

/** More browsers than one person has; beyond it, the least recently used sessions end. */
const MOST_OF_ONE_USER = 20;

/** A user as stored in the database. Never the password or a token. */
export type User = Omit<
  typeof users.$inferSelect,
  | 'password'
  | 'foldedName'
  | 'foldedGrams'
  | 'newsToken'
  | 'clientId'
  | 'lastSignInAt'
  | 'dismissedFirstSteps'
>;

/** The signed-in user at the time of this request. */
export type Caller = User & {
  /** The ids of the levels received, in order; of no meaning for admins, who may hear everything. */
  receivedLevels: number[];
  /** That of the library at the same moment. */
  libraryVersion: string;
};

type Alive = { user: Caller; sid: string; expire: Date };

export type Sessions = ReturnType<typeof sessionsOf>;

/** Sessions in the database. The id that the browser holds is stored only as a hash. */
export function sessionsOf(db: Db) {
  /** An expired session, or that of a disabled user, is invalid. */
  const alive = db
    .select({
      user: { ...userColumns, receivedLevels: receivedLevels(users.id), libraryVersion: library.version },
      sid: sessions.sid,
      expire: sessions.expire,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sql`${sessions.sess} ->> 'userId'`))
    .innerJoin(library, eq(library.isOnly, true))
    .where(
      and(
        sql`${sessions.sid} = any(${sql.placeholder('sids')})`,
        gt(sessions.expire, sql.placeholder('now')),
        users.isActive,
      ),
    )
    .prepare('alive_sessions');

  /** Every request asks for its session. */
  const findAlive = inBatches<{ sid: string; now: Date }, Alive | null>(async (asked) => {
    const sids = [...new Set(asked.map(({ sid }) => sid))];
    const rows = await alive.execute({ sids, now: asked.at(-1)!.now });
    const found = new Map(rows.map((row) => [row.sid, row]));
    return asked.map(({ sid }) => found.get(sid) ?? null);
  });

  /** The only way to end sessions: their open responses are cut off too, in every process. */
  async function endMatching(which: SQL): Promise<void> {
    await db.execute(sql`
      with ended as (delete from ${sessions} where ${which} returning sess ->> 'userId' as user_id)
      select ${lookAgain(sql`user_id`)} from (select distinct user_id from ended) as holders`);
  }

  /** After the insert, in a statement of its own: of several concurrent sign-ins, the last to get here sees them all. */
  async function endOldest(userId: string, newest: string) {
    const ofUser = and(eq(sql`${sessions.sess} ->> 'userId'`, userId), ne(sessions.sid, newest));
    const stay = db
      .select({ sid: sessions.sid })
      .from(sessions)
      .where(ofUser)
      .orderBy(desc(sessions.expire), sessions.sid)
      .limit(MOST_OF_ONE_USER - 1);
    await endMatching(sql`${ofUser} and ${notInArray(sessions.sid, stay)}`);
  }

  return {
    /** @returns the id for the cookie, 32 random bytes in base64url */
    async start(userId: string, now: Date): Promise<string> {
      const id = randomBytes(32).toString('base64url');
      await db.insert(sessions).values({ sid: hashed(id), sess: { userId }, expire: expiry(now) });
      await endOldest(userId, hashed(id));
      return id;
    },

    /**
     * As `start`, for a user whose password was just verified: null when it was changed, or the user disabled, since it
     * was read. Both end the user's sessions, and this one must not slip in afterwards; the lock on the user's row
     * serializes them.
     */
    async startIfUnchanged(user: { id: string; password: string }, now: Date): Promise<string | null> {
      const id = randomBytes(32).toString('base64url');
      const { rowCount } = await db.execute(sql`
        insert into sessions (sid, sess, expire)
        select ${hashed(id)}, jsonb_build_object('userId', users.id), ${expiry(now)}
        from users where users.id = ${user.id} and users.password = ${user.password} and users.is_active
        for share`);
      if (rowCount !== 1) return null;
      await endOldest(user.id, hashed(id));
      return id;
    },

    /**
     * The user of this session.
     * @param prolong whether this counts as use; the caller must extend the cookie as well
     */
    async find(
      id: string,
      now: Date,
      { prolong }: { prolong: boolean },
    ): Promise<{ caller: Caller; prolonged: boolean } | null> {
      const found = await findAlive({ sid: hashed(id), now });
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

    /** The users of these sessions; invalid ones are left out. Extends none. */
    async callersOf(ids: string[], now: Date): Promise<Map<string, Caller>> {
      const idOf = new Map(ids.map((id) => [hashed(id), id]));
      const found = await alive.execute({ sids: [...idOf.keys()], now });
      return new Map(found.map(({ sid, user }) => [idOf.get(sid)!, user]));
    },

    end: (id: string) => endMatching(eq(sessions.sid, hashed(id))),

    /** Ends all sessions of a user, or all but the current one. */
    endAllOf(userId: string, except?: string): Promise<void> {
      const own = eq(sql`${sessions.sess} ->> 'userId'`, userId);
      return endMatching(except ? sql`${own} and ${ne(sessions.sid, hashed(except))}` : own);
    },

    forgetExpired: (now: Date) => endMatching(lt(sessions.expire, now)),
  };
}

const hashed = (id: string) => hash('sha256', id);
const expiry = (now: Date) => new Date(now.getTime() + SESSION_SECONDS * 1000);
