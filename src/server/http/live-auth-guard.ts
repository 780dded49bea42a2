import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import { isChangeForUser, type ChangeFeed } from '../db/changes.ts';
import type { Log } from '../log.ts';
import type { Caller } from '../auth/sessions.ts';
import { runWithoutRequestId } from './request-id.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';

/** Default limits. Times are in ms. */
export const DEFAULT_LIVE_AUTH_GUARD_LIMITS = {
  /** Interval for rechecking every open response, even without a change notification. */
  recheckIntervalMs: 3_000,
  /**
   * Time after which a response is cut off if the caller's access could not be confirmed. If the database is
   * down, access may have been revoked unnoticed.
   */
  graceMs: 10_000,
  /** Pause between two rounds of checks. Checks requested during it are batched. */
  pauseMs: 20,
  /** Time after which a connection is cut off if the client accepts no data. */
  stallTimeoutMs: 60_000,
  /**
   * Maximum number of concurrent 'long' responses per user. Enough for two browsers with six connections each.
   */
  maxConcurrentLong: 12,
  /**
   * Maximum number of concurrent exports: per user, and of all students together. Each export keeps a file
   * open while it is being downloaded.
   */
  maxConcurrentExports: 2,
  maxConcurrentStudentExports: 12,
};

const TOO_MANY_RESPONSES =
  'Too many recordings are loading at once. Please close other windows of this site, then try again.';
const TOO_MANY_EXPORTS =
  'Your other downloads are still running. Please wait until one finishes, then try again.';
const BUSY_WITH_EXPORTS = 'Several people are downloading right now. Please try again in a few minutes.';

/** Delay before a failed check is retried. */
const RETRY_MS = 500;

export type LiveAuthGuardLimits = typeof DEFAULT_LIVE_AUTH_GUARD_LIMITS;

/** An open response. The caller's access is rechecked until the response is closed. */
export type GuardedResponse = {
  /** The session id from the request's cookie. */
  session: string;
  caller: Caller;
  /** Name of the file that is sent; null if the response only requires a session. */
  file: string | null;
  /** 'long' for audio, 'export' for the archive of a user's data, 'short' for a picture or an event stream. */
  length: 'short' | 'long' | 'export';
  /** Aborts the response. */
  end(): void;
};

export type ResponseAuthorization = {
  /**
   * Checks the caller's access again. Resolves when a check that started after this call has confirmed it.
   * Rejects if access was revoked or the response was closed.
   */
  confirm(): Promise<void>;
  /**
   * Returns the recheck that a change notification has started, or null if none is in progress. The promise
   * settles like that of `confirm`.
   */
  recheck(): Promise<void> | null;
  /** Must be called when the response has finished. */
  close(): void;
};

export type LiveAuthGuard = ReturnType<typeof createLiveAuthGuard>;

type GuardEntry = {
  answer: GuardedResponse;
  confirmedAt: number;
  /**
   * Promises of requested checks. The current round settles `asked`, and the next round settles `next`. Null if
   * no check is requested.
   */
  asked: PromiseWithResolvers<void> | null;
  next: PromiseWithResolvers<void> | null;
  recheck: Promise<void> | null;
};

/**
 * Cuts off long-running responses (files and event streams) when access is revoked. Access is rechecked when a
 * change concerns the caller, when a response requests it, and every few seconds. The checks are batched into a
 * few queries, however many responses are open.
 */
export function createLiveAuthGuard(
  deps: {
    changes: ChangeFeed;
    /** Returns the users by session id. The map leaves out invalid sessions. */
    callersOf(sessions: string[]): Promise<Map<string, Caller>>;
    /** Returns for each entry, in the same order, whether the viewer may access the file now. */
    canAccess(asked: { viewer: Caller; name: string }[]): Promise<boolean[]>;
    log: Pick<Log, 'warn'>;
  },
  limits: LiveAuthGuardLimits = DEFAULT_LIVE_AUTH_GUARD_LIMITS,
) {
  const open = new Set<GuardEntry>();
  let isAsking = false;
  let heardAt = -Infinity;

  function requestCheck(entry: GuardEntry): Promise<void> {
    if (!entry.next) {
      entry.next = Promise.withResolvers();
      // Without a handler, a rejection that no caller awaits would crash the process.
      entry.next.promise.catch(() => undefined);
    }
    void runWithoutRequestId(runCheckRounds);
    return entry.next.promise;
  }

  function recheck(entry: GuardEntry) {
    const asked = requestCheck(entry);
    entry.recheck = asked;
    const settle = () => {
      if (entry.recheck === asked) entry.recheck = null;
    };
    asked.then(settle, () => undefined);
  }

  /**
   * Runs rounds of checks, one at a time, until no check is requested. Checks requested during a round wait for
   * the next.
   */
  async function runCheckRounds() {
    if (isAsking) return;
    isAsking = true;
    // Checks requested in the same tick share a round.
    await Promise.resolve();
    let failures = 0;
    for (;;) {
      const round = [...open].filter(({ next }) => next !== null);
      if (round.length === 0) break;
      for (const entry of round) [entry.asked, entry.next] = [entry.next, null];
      const begunAt = performance.now();
      try {
        // Times out, so that a query that hangs does not block the next round.
        const may = await withTimeout(limits.graceMs, checkRights(round.map(({ answer }) => answer)));
        round.forEach((entry, at) => (may[at] ? confirm(entry, begunAt) : end(entry)));
        failures = 0;
      } catch (error) {
        if (failures === 0) deps.log.warn({ error }, 'cannot check the authorization of open responses');
        failures += 1;
        for (const entry of round) requeueCheck(entry);
      }
      await sleep(failures > 0 ? RETRY_MS : limits.pauseMs);
    }
    isAsking = false;
  }

  function confirm(entry: GuardEntry, at: number) {
    entry.confirmedAt = at;
    entry.asked?.resolve();
    entry.asked = null;
  }

  function requeueCheck(entry: GuardEntry) {
    const { asked } = entry;
    entry.asked = null;
    // Skips a response that was closed during the round. Its promises have already been rejected.
    if (!asked || !open.has(entry)) return;
    requestCheck(entry).then(asked.resolve, asked.reject);
  }

  async function checkRights(answers: GuardedResponse[]): Promise<boolean[]> {
    const callers = await deps.callersOf([...new Set(answers.map(({ session }) => session))]);
    const viewers = answers.map(({ session, caller }) => {
      const now = callers.get(session);
      return now?.id === caller.id ? now : null;
    });
    const asked = answers.flatMap(({ file }, at) => {
      const viewer = viewers[at];
      return viewer && file !== null ? [{ at, viewer, name: file }] : [];
    });
    const may = await deps.canAccess(asked);
    const mayHaveFile = new Map(asked.map(({ at }, index) => [at, may[index]]));
    return answers.map(
      ({ file }, at) => viewers[at] !== null && (file === null || mayHaveFile.get(at) === true),
    );
  }

  function leave(entry: GuardEntry) {
    open.delete(entry);
    for (const waiting of [entry.asked, entry.next]) waiting?.reject(new Error('The answer has ended.'));
  }

  function end(entry: GuardEntry) {
    leave(entry);
    entry.answer.end();
  }

  const stopListening = deps.changes.listen({
    onChange(change) {
      heardAt = performance.now();
      for (const entry of open) if (isChangeForUser(change, entry.answer.caller)) recheck(entry);
    },
    onMissed() {
      heardAt = performance.now();
      for (const entry of open) recheck(entry);
    },
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const entry of open) {
      if (now - entry.confirmedAt > limits.graceMs) end(entry);
      else void requestCheck(entry);
    }
  }, limits.recheckIntervalMs);

  return {
    limits,

    /**
     * Throws if another response of this length would exceed the limits.
     * @throws AppError 'too-many' if the user has reached the limit per user; 'unavailable' for a student if
     * all students together have reached their limit
     */
    assertNotTooMany({ id, role }: Caller, length: 'long' | 'export') {
      const callers = [...open].flatMap(({ answer }) => (answer.length === length ? [answer.caller] : []));
      const ofUser = callers.filter((caller) => caller.id === id).length;
      if (length === 'long') {
        if (ofUser >= limits.maxConcurrentLong)
          throw new AppError('too-many', TOO_MANY_RESPONSES, { retryAfter: 5 });
        return;
      }
      if (ofUser >= limits.maxConcurrentExports)
        throw new AppError('too-many', TOO_MANY_EXPORTS, { retryAfter: 60 });
      const ofStudents = callers.filter((caller) => caller.role === 'student').length;
      if (role === 'student' && ofStudents >= limits.maxConcurrentStudentExports)
        throw new AppError('unavailable', BUSY_WITH_EXPORTS, { retryAfter: 60 });
    },

    /**
     * Guards a response until it is closed.
     * @param rightSince time when the request arrived (`performance.now()`). Access was checked after that, so
     * a change notified since then may have revoked it.
     */
    add(answer: GuardedResponse, rightSince: number): ResponseAuthorization {
      const entry: GuardEntry = { answer, confirmedAt: rightSince, asked: null, next: null, recheck: null };
      open.add(entry);
      if (heardAt >= rightSince) recheck(entry);
      return {
        confirm: () => requestCheck(entry),
        recheck: () => entry.recheck,
        close: () => leave(entry),
      };
    },

    /** Cuts off all open responses and stops the checks. */
    close() {
      stopListening();
      clearInterval(timer);
      for (const entry of open) end(entry);
    },
  };
}
