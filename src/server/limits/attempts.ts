import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, gt, inArray, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rateLimitedAttempts, selectWidestNetwork } from '../db/schema.ts';
import { AppError } from '#shared/errors.ts';
import { createKeyedLimiter } from '../concurrency/concurrency-limiter.ts';
import { getNarrowestNetwork, getNetworks, getWidestNetwork } from './network.ts';
import { getLimitsPerNetwork, sumAttemptCountsByScope, type AttemptCountsByScope } from './attempt-counts.ts';

type AttemptKind = (typeof rateLimitedAttempts.$inferSelect)['kind'];

/** Attempts that count whether they succeed or fail. */
type RequestKind =
  | 'registration'
  | 'password-reset'
  | 'news-link'
  | 'sign-in-link'
  | 'sign-in-code-made'
  | 'passkey-challenge';

/** Attempts that count only if they fail. */
type TryKind = 'sign-in' | 'known-device' | 'password-change' | 'sign-in-code';

type Attempt<K extends AttemptKind> = { kind: K; subject: string; address: string };
type AttemptWindow = { since: Date; now: Date };

export type AttemptCounter = ReturnType<typeof createAttemptCounter>;

/**
 * Maximum duration of a pending attempt, longer than any attempt takes even under load. An attempt that has
 * been pending for longer is from a process that died.
 */
const MAX_PENDING_MS = 2 * 60 * 1000;

/** First and maximum polling interval of a waiting attempt, with exponential backoff. */
const MIN_POLL_MS = 25;
const MAX_POLL_MS = 400;

/** Maximum time that an attempt waits for other pending attempts. */
const WAIT_TIMEOUT_MS = 30 * 1000;

/** Maximum number of attempts that one process runs or queues for one /64 or IPv4 address. */
const MAX_CONCURRENT_ATTEMPTS = 200;

/**
 * Creates a counter of attempts in the database, so that limits survive a restart and apply across processes.
 */
export function createAttemptCounter(db: Db) {
  const serialized = createKeyedLimiter({ maxConcurrent: 1 });
  const atOnce = new Map<string, number>();

  /**
   * Counts previous attempts and, if `allow` permits it, records this one, atomically. Concurrent attempts
   * are serialized, so that a burst can't exceed a limit.
   * @param allow returns false if the attempt must wait; throws to reject it
   * @returns the row's id; null if the attempt must wait
   */
  function recordIf(
    row: AttemptRow,
    counted: AttemptKind,
    when: AttemptWindow,
    allow: (tallies: AttemptCountsByScope) => boolean,
  ) {
    // Always locks the network before the subject, to avoid deadlocks.
    const [network, subject] = [getWidestNetwork(row.address), row.subject].map((key) => `${counted} ${key}`);
    // Attempts are also serialized within the process, because many attempts that wait for the same database
    // lock would use up the connection pool.
    return serialized(network!, () =>
      serialized(subject!, () =>
        db.transaction(async (tx) => {
          for (const key of [network, subject])
            await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
          const isAllowed = allow(await countRelatedAttempts(tx, row, counted, when));
          if (!isAllowed) return null;
          const [noted] = await tx
            .insert(rateLimitedAttempts)
            .values(row)
            .returning({ id: rateLimitedAttempts.id });
          return noted!.id;
        }),
      ),
    );
  }

  async function begin(
    what: Attempt<TryKind>,
    when: AttemptWindow,
    admit: (tallies: AttemptCountsByScope) => 'go' | 'wait',
    signal: AbortSignal | undefined,
  ) {
    const row = toRow(what, `${what.kind}-under-way`, when.now);
    const end = performance.now() + WAIT_TIMEOUT_MS;
    for (let wait = MIN_POLL_MS; ; wait = Math.min(2 * wait, MAX_POLL_MS)) {
      const id = await recordIf(row, what.kind, when, (tallies) => admit(tallies) === 'go');
      if (id !== null) return id;
      if (performance.now() > end || signal?.aborted) throw tooManyAttemptsError();
      await sleep(wait);
    }
  }

  return {
    /**
     * Records a request, which counts whether it succeeds or fails.
     * @param allow throws to reject the request, which is then not counted
     */
    async record(
      what: Attempt<RequestKind>,
      when: AttemptWindow,
      allow: (tallies: AttemptCountsByScope) => void,
    ): Promise<void> {
      await recordIf(toRow(what, what.kind, when.now), what.kind, when, (tallies) => {
        allow(tallies);
        return true;
      });
    },

    /**
     * Runs an attempt that counts only if it fails. While pending, an attempt reserves a slot: `admit` counts
     * pending attempts as failures, and makes another attempt wait if the limit would be exceeded. So a burst
     * gets no additional guesses, but correct attempts all succeed.
     * @param admit throws to reject the attempt, which is then not counted
     * @param succeeds returns whether the attempt succeeded; if it throws, the attempt is not counted
     * @param signal aborted when the client disconnects; a waiting attempt then never starts
     * @returns whether the attempt succeeded
     * @throws AppError 'too-many' if too many attempts are running or waiting, this one has waited too long,
     * or its client has disconnected
     */
    async attempt(
      what: Attempt<TryKind>,
      when: AttemptWindow,
      admit: (tallies: AttemptCountsByScope) => 'go' | 'wait',
      succeeds: () => Promise<boolean>,
      signal?: AbortSignal,
    ): Promise<boolean> {
      const crowds = getNetworks(what.address).map((network) => `${what.kind} ${network}`);
      const most = getLimitsPerNetwork(MAX_CONCURRENT_ATTEMPTS, crowds);
      if (crowds.some((crowd, width) => (atOnce.get(crowd) ?? 0) >= most[width]!))
        throw tooManyAttemptsError();
      for (const crowd of crowds) atOnce.set(crowd, (atOnce.get(crowd) ?? 0) + 1);
      try {
        const id = await begin(what, when, admit, signal);
        let hasFailed = false;
        try {
          hasFailed = !(await succeeds());
        } finally {
          await (hasFailed
            ? db.update(rateLimitedAttempts).set({ kind: what.kind }).where(eq(rateLimitedAttempts.id, id))
            : db.delete(rateLimitedAttempts).where(eq(rateLimitedAttempts.id, id)));
        }
        return !hasFailed;
      } finally {
        for (const crowd of crowds) {
          const left = atOnce.get(crowd)! - 1;
          if (left > 0) atOnce.set(crowd, left);
          else atOnce.delete(crowd);
        }
      }
    },

    async forgetBefore(cutoff: Date): Promise<void> {
      await db.delete(rateLimitedAttempts).where(lt(rateLimitedAttempts.at, cutoff));
    },
  };
}

type AttemptRow = ReturnType<typeof toRow>;

const toRow = ({ subject, address }: Attempt<AttemptKind>, kind: AttemptKind, at: Date) => ({
  kind,
  subject: hashSubject(subject),
  address: getNarrowestNetwork(address),
  at,
});

/**
 * Counts earlier attempts with the same subject or from the same network, including pending ones.
 * @param kind kind of the counted attempts; the kind of the pending attempts is derived from it
 */
async function countRelatedAttempts(
  db: Db,
  row: AttemptRow,
  kind: AttemptKind,
  { since, now }: AttemptWindow,
): Promise<AttemptCountsByScope> {
  const pending = `${kind}-under-way` as AttemptKind;
  const counts = eq(rateLimitedAttempts.kind, kind);
  const isPending = and(
    eq(rateLimitedAttempts.kind, pending),
    gt(rateLimitedAttempts.at, new Date(now.getTime() - MAX_PENDING_MS)),
  );
  const howMany = (of: SQL | undefined) => sql<number>`count(*) filter (where ${of})::int`;
  const isSubject = sql<boolean>`${rateLimitedAttempts.subject} = ${row.subject}`;
  const isFromNetwork = sql`${selectWidestNetwork(rateLimitedAttempts.address)} = ${getWidestNetwork(row.address)}`;
  const rows = await db
    .select({
      address: rateLimitedAttempts.address,
      isSubject,
      count: howMany(counts),
      pending: howMany(isPending),
      latest: sql<Date | null>`max(${rateLimitedAttempts.at}) filter (where ${counts})`.mapWith(
        rateLimitedAttempts.at,
      ),
    })
    .from(rateLimitedAttempts)
    .where(
      and(
        inArray(rateLimitedAttempts.kind, [kind, pending]),
        gt(rateLimitedAttempts.at, since),
        or(isSubject, isFromNetwork),
      ),
    )
    // Groups by position, because a repeated `isSubject` would get another parameter and so be a different
    // expression.
    .groupBy(sql`1, 2`);
  return sumAttemptCountsByScope(rows, row.address);
}

const tooManyAttemptsError = () =>
  new AppError('too-many', 'Too many attempts at once. Please try again in a few seconds.', {
    retryAfter: 5,
  });

const hashSubject = (subject: string) =>
  createHash('sha256').update(subject.trim().toLowerCase()).digest('hex');
