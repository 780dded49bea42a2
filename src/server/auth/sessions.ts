import { hash, randomBytes } from 'node:crypto';
import { and, desc, eq, gt, lt, ne, notInArray, or, sql, type SQL } from 'drizzle-orm';
import { selectReceivedLevels, userColumns } from '../db/columns.ts';
import type { Db } from '../db/database.ts';
import { library, sessions, users } from '../db/schema.ts';
import { createBatchLoader } from '../concurrency/batch-loader.ts';
import { buildAccessRecheckSql } from '../db/changes.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lifetime of a session after its last use. `SESSION_MAX_DAYS` also limits its total lifetime. */
export const SESSION_IDLE_TIMEOUT_SECONDS = (30 * DAY_MS) / 1000;

/**
 * Minimum time between two updates of a session's last use. It is long, so that most requests don't write to
 * the database.
 */
const SEEN_INTERVAL_MS = 60 * 60 * 1000;

/**
 * Maximum number of sessions per user, more than the number of browsers that a person uses. A new session
 * beyond the limit ends the least recently used one.
 */
const MAX_SESSIONS_PER_USER = 20;

/** A user as stored in the database, without password, tokens and columns that few queries need. */
export type UserRecord = Omit<
  typeof users.$inferSelect,
  | 'password'
  | 'foldedName'
  | 'foldedGrams'
  | 'newsToken'
  | 'clientId'
  | 'lastSignInAt'
  | 'dismissedFirstSteps'
>;

/** The user who sent a request, as of that request. */
export type Caller = UserRecord & {
  /**
   * Ids of the levels that the user has received, in ascending order. Not used for admins, who have access to
   * everything.
   */
  receivedLevels: number[];
  /** Version of the library as of this request. */
  libraryVersion: string;
  /** Time at which the user last entered their password or used a passkey in this session; null if never. */
  provedAt: Date | null;
  /**
   * Name of the teacher whose code started this session. Null if the session started without such a code, or if
   * the user has since entered their password or used a passkey.
   */
  codeShownBy: string | null;
};

/** Details of the sign-in that starts a session. */
export type SessionDetails = {
  /** Description of the browser by `describeDevice`. */
  device: string;
  address: string;
  /** Whether the user entered a password or used a passkey. An emailed link or a code alone doesn't count. */
  isProved: boolean;
  /** Name of the teacher who showed the sign-in code; null or absent for any other sign-in. */
  codeShownBy?: string | null;
};

type LiveSession = { user: Caller; sid: string; seenAt: Date };

export type SessionManager = ReturnType<typeof createSessionManager>;

/**
 * Creates functions that manage sessions in the database. Only a hash of the id in the browser's cookie is
 * stored.
 */
export function createSessionManager(db: Db, { maxDays }: { maxDays: number }) {
  const oldest = (now: Date) => new Date(now.getTime() - maxDays * DAY_MS);

  /** Selects valid sessions: those that have not expired and whose user is not disabled. */
  const alive = db
    .select({
      user: {
        ...userColumns,
        receivedLevels: selectReceivedLevels(users.id),
        libraryVersion: library.version,
        provedAt: sessions.provedAt,
        codeShownBy: sql<
          string | null
        >`case when ${sessions.provedAt} is null then ${sessions.codeShownBy} end`,
      },
      sid: sessions.sid,
      seenAt: sessions.seenAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sql`${sessions.sess} ->> 'userId'`))
    .innerJoin(library, eq(library.isOnly, true))
    .where(
      and(
        sql`${sessions.sid} = any(${sql.placeholder('sids')})`,
        gt(sessions.expire, sql.placeholder('now')),
        gt(sessions.createdAt, sql.placeholder('oldest')),
        users.isActive,
      ),
    )
    .prepare('alive_sessions');

  /** Looks up a session. Every request does this, so concurrent lookups are batched into one query. */
  const findAlive = createBatchLoader<{ sid: string; now: Date }, LiveSession | null>(async (asked) => {
    const sids = [...new Set(asked.map(({ sid }) => sid))];
    const { now } = asked.at(-1)!;
    const rows = await alive.execute({ sids, now, oldest: oldest(now) });
    const found = new Map(rows.map((row) => [row.sid, row]));
    return asked.map(({ sid }) => found.get(sid) ?? null);
  });

  return {
    ...createSessionStore(db),

    /**
     * Finds the user of a session.
     * @param use address of the client. If given, records the session's last use, at most once an hour.
     * @returns null if the session is not valid; `isExtended` means that this call has recorded a use, so the
     * caller must extend the cookie too
     */
    async find(
      id: string,
      now: Date,
      use?: { address: string },
    ): Promise<{ caller: Caller; isExtended: boolean } | null> {
      const found = await findAlive({ sid: hashSessionId(id), now });
      if (!found) return null;
      const isExtended = use !== undefined && now.getTime() - found.seenAt.getTime() > SEEN_INTERVAL_MS;
      if (isExtended) {
        await db
          .update(sessions)
          .set({ ...getSeenColumns(now), address: use.address })
          .where(eq(sessions.sid, hashSessionId(id)));
      }
      return { caller: found.user, isExtended };
    },

    /**
     * Returns the users of these sessions, by session id. Invalid sessions are left out. Does not extend the
     * sessions.
     */
    async callersOf(ids: string[], now: Date): Promise<Map<string, Caller>> {
      const idOf = new Map(ids.map((id) => [hashSessionId(id), id]));
      const found = await alive.execute({ sids: [...idOf.keys()], now, oldest: oldest(now) });
      return new Map(found.map(({ sid, user }) => [idOf.get(sid)!, user]));
    },

    /**
     * Returns the user's sessions: first the current one, then the others by last use, newest first.
     * @param here id of the current session
     */
    listOf(userId: string, here: string, now: Date) {
      const isCurrent = sql<boolean>`${sessions.sid} = ${hashSessionId(here)}`;
      return db
        .select({
          id: sessions.id,
          device: sessions.device,
          address: sessions.address,
          createdAt: sessions.createdAt,
          seenAt: sessions.seenAt,
          isCurrent,
        })
        .from(sessions)
        .where(and(isSessionOfUser(userId), gt(sessions.expire, now), gt(sessions.createdAt, oldest(now))))
        .orderBy(desc(isCurrent), desc(sessions.seenAt), sessions.id);
    },

    forgetExpired: (now: Date) =>
      endMatchingSessions(db, or(lt(sessions.expire, now), lt(sessions.createdAt, oldest(now)))!),
  };
}

/** Creates functions that start and end sessions, in the caller's transaction if `db` is one. */
export function createSessionStore(db: Db) {
  const end = (which: SQL) => endMatchingSessions(db, which);

  /**
   * Ends the least recently used sessions beyond the limit. Runs after the insert, in a separate statement, so
   * that the last of several concurrent sign-ins sees all their sessions.
   */
  async function endOldest(userId: string, newest: string) {
    const others = and(isSessionOfUser(userId), ne(sessions.sid, newest));
    const stay = db
      .select({ sid: sessions.sid })
      .from(sessions)
      .where(others)
      .orderBy(desc(sessions.expire), sessions.sid)
      .limit(MAX_SESSIONS_PER_USER - 1);
    await end(sql`${others} and ${notInArray(sessions.sid, stay)}`);
  }

  return {
    /**
     * Starts a session. Ends the user's least recently used sessions beyond the limit.
     * @returns id for the cookie: 32 random bytes in base64url
     */
    async start(userId: string, beginning: SessionDetails, now: Date): Promise<string> {
      const id = createSessionId();
      await db.insert(sessions).values(createSessionRow(id, userId, beginning, now));
      await endOldest(userId, hashSessionId(id));
      return id;
    },

    /**
     * Starts a session like `start`, for a user whose password was just verified. Returns null if the
     * password has been changed or the user disabled since the user was read. Either change ends the user's
     * sessions, and a lock on the user's row keeps this session from starting after that.
     */
    async startIfUnchanged(
      user: { id: string; password: string },
      beginning: Pick<SessionDetails, 'device' | 'address'>,
      now: Date,
    ): Promise<string | null> {
      const id = createSessionId();
      const row = createSessionRow(id, user.id, { ...beginning, isProved: true }, now);
      const { rowCount } = await db.execute(sql`
        insert into sessions (sid, sess, expire, created_at, seen_at, device, address, proved_at)
        select ${row.sid}, jsonb_build_object('userId', users.id), ${row.expire}, ${row.createdAt}, ${row.seenAt},
          ${row.device}, ${row.address}, ${row.provedAt}
        from users where users.id = ${user.id} and users.password = ${user.password} and users.is_active
        for share`);
      if (rowCount !== 1) return null;
      await endOldest(user.id, hashSessionId(id));
      return id;
    },

    /**
     * Gives a session a new id and extends it. Ends all other sessions of its user, so that copied cookies
     * become worthless.
     * @param isProved whether the user has just entered their password or used a passkey
     * @returns the new id; null if the session has already ended
     */
    async renew(id: string, { isProved }: { isProved: boolean }, now: Date): Promise<string | null> {
      const next = createSessionId();
      const [renewed] = await db
        .update(sessions)
        .set({ sid: hashSessionId(next), ...getSeenColumns(now), ...(isProved && { provedAt: now }) })
        .where(and(eq(sessions.sid, hashSessionId(id)), gt(sessions.expire, now)))
        .returning({ sess: sessions.sess });
      if (!renewed) return null;
      const { userId } = renewed.sess;
      await end(sql`${isSessionOfUser(userId)} and ${ne(sessions.sid, hashSessionId(next))}`);
      // Cuts off responses that were opened with the old id, even if no other session ended.
      await db.execute(sql`select ${buildAccessRecheckSql(sql`${userId}::text`)}`);
      return next;
    },

    /** Records that the user has just entered their password or used a passkey in this session. */
    async noteProof(id: string, now: Date): Promise<void> {
      await db
        .update(sessions)
        .set({ provedAt: now })
        .where(eq(sessions.sid, hashSessionId(id)));
    },

    end: (id: string) => end(eq(sessions.sid, hashSessionId(id))),

    endAllOf: (userId: string) => end(isSessionOfUser(userId)),

    /**
     * Ends the user's session that has this id in their list of sessions.
     * @returns whether the session existed
     */
    endListed: (userId: string, id: string) =>
      end(sql`${isSessionOfUser(userId)} and ${eq(sessions.id, id)}`),
  };
}

/**
 * Ends sessions and cuts off their open responses in every process. All code that ends sessions must call this
 * function.
 * @returns whether any session was ended
 */
async function endMatchingSessions(db: Db, which: SQL): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    with ended as (delete from ${sessions} where ${which} returning sess ->> 'userId' as user_id)
    select ${buildAccessRecheckSql(sql`user_id`)} from (select distinct user_id from ended) as holders`);
  return (rowCount ?? 0) > 0;
}

const createSessionId = () => randomBytes(32).toString('base64url');
const hashSessionId = (id: string) => hash('sha256', id);
const isSessionOfUser = (userId: string) => eq(sql`${sessions.sess} ->> 'userId'`, userId);
const getSeenColumns = (now: Date) => ({
  seenAt: now,
  expire: new Date(now.getTime() + SESSION_IDLE_TIMEOUT_SECONDS * 1000),
});

const createSessionRow = (
  id: string,
  userId: string,
  { isProved, ...beginning }: SessionDetails,
  now: Date,
) => ({
  ...{ sid: hashSessionId(id), sess: { userId }, createdAt: now, provedAt: isProved ? now : null },
  ...getSeenColumns(now),
  ...beginning,
});
