import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import { isChangeFor, type ChangeFeed } from '../db/changes.ts';
import type { Log } from '../log.ts';
import type { Caller } from '../auth/sessions.ts';
import { runOutsideRequests } from './request-id.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';

/** In milliseconds. Tests use shorter ones. */
export const DEFAULT_GUARD_LIMITS = {
  /** Interval for rechecking every open response, even without a notified change. */
  askEvery: 3_000,
  /**
   * Time after which responses that could not be confirmed are cut off: the database may be down, and access
   * revoked.
   */
  grace: 10_000,
  /** Pause between two rounds of checks, so that requests within it are batched. */
  pause: 20,
  /** Time after which a connection that accepts no data is cut off. */
  stalled: 60_000,
  /** Concurrent long responses per user: two browsers with six connections each. */
  longAtOnce: 12,
  /**
   * Concurrent exports per user, and of all students together. Each keeps a file open while its client downloads.
   */
  exportsAtOnce: 2,
  exportsOfStudents: 12,
};

const TOO_MANY_RESPONSES =
  'Too many recordings are loading at once. Please close other windows of this site, then try again.';
const TOO_MANY_EXPORTS =
  'Your other downloads are still running. Please wait until one finishes, then try again.';
const BUSY_WITH_EXPORTS = 'Several people are downloading right now. Please try again in a few minutes.';

/** Delay after a failed check. */
const RETRY_MS = 500;

export type GuardLimits = typeof DEFAULT_GUARD_LIMITS;

/** A long-running response. */
export type GuardedResponse = {
  /** The session id from the request's cookie. */
  session: string;
  caller: Caller;
  /** Name of the file that it serves; null if it needs only a session. */
  file: string | null;
  /** 'long' is part of a song, 'short' a picture, and 'export' everything that belongs to one user. */
  length: 'short' | 'long' | 'export';
  /** Aborts the response. */
  end(): void;
};

export type Authorization = {
  /**
   * Resolves when the right has been confirmed by a check that started after this call. Rejects if it was revoked or
   * the response was closed.
   */
  confirmed(): Promise<void>;
  /**
   * Returns a promise if a notified change may have revoked the right, which settles like `confirmed`. Null if there
   * is no doubt.
   */
  recheck(): Promise<void> | null;
  /** Call when the response has finished by itself. */
  close(): void;
};

export type LiveAuthGuard = ReturnType<typeof createLiveAuthGuard>;

type GuardEntry = {
  answer: GuardedResponse;
  confirmedAt: number;
  /** Settled by the current round, and by the next one. */
  asked: PromiseWithResolvers<void> | null;
  next: PromiseWithResolvers<void> | null;
  recheck: Promise<void> | null;
};

/**
 * Tracks long-running responses: files and event streams. Their authorization is checked in batches, with a few
 * queries regardless of their number: when a change concerns their caller, when a response requests it, and every
 * few seconds. A response whose right was revoked is cut off.
 */
export function createLiveAuthGuard(
  deps: {
    changes: ChangeFeed;
    /** Returns the user of each of these sessions. */
    callersOf(sessions: string[]): Promise<Map<string, Caller>>;
    /** Returns for each, in the same order, whether the viewer may have this file now. */
    canAccess(asked: { viewer: Caller; name: string }[]): Promise<boolean[]>;
    log: Pick<Log, 'warn'>;
  },
  limits: GuardLimits = DEFAULT_GUARD_LIMITS,
) {
  const open = new Set<GuardEntry>();
  let isAsking = false;
  let heardAt = -Infinity;

  function requestCheck(entry: GuardEntry): Promise<void> {
    if (!entry.next) {
      entry.next = Promise.withResolvers();
      // Not every caller awaits the result.
      entry.next.promise.catch(() => undefined);
    }
    void runOutsideRequests(runCheckRounds);
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

  /** Runs one round at a time while there are requests. Those that arrive during a round wait for the next. */
  async function runCheckRounds() {
    if (isAsking) return;
    isAsking = true;
    // Requests of the same tick share a round.
    await Promise.resolve();
    let failures = 0;
    for (;;) {
      const round = [...open].filter(({ next }) => next !== null);
      if (round.length === 0) break;
      for (const entry of round) [entry.asked, entry.next] = [entry.next, null];
      const begunAt = performance.now();
      try {
        // A query that hangs must not block the next one.
        const may = await withTimeout(limits.grace, checkRights(round.map(({ answer }) => answer)));
        round.forEach((entry, at) => (may[at] ? confirm(entry, begunAt) : end(entry)));
        failures = 0;
      } catch (error) {
        if (failures === 0) deps.log.warn({ error }, 'cannot check the authorization of open responses');
        failures += 1;
        for (const entry of round) requeueCheck(entry);
      }
      await sleep(failures > 0 ? RETRY_MS : limits.pause);
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
    // It ended during the round, and its callers have already been notified.
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
      for (const entry of open) if (isChangeFor(change, entry.answer.caller)) recheck(entry);
    },
    onMissed() {
      heardAt = performance.now();
      for (const entry of open) recheck(entry);
    },
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const entry of open) {
      if (now - entry.confirmedAt > limits.grace) end(entry);
      else void requestCheck(entry);
    }
  }, limits.askEvery);

  return {
    limits,

    /**
     * Refuses a further response.
     * @throws AppError 'too-many' if the user has as many of these responses open as allowed; 'unavailable', for a
     * student, if all students together have
     */
    assertNotTooMany({ id, role }: Caller, length: 'long' | 'export') {
      const callers = [...open].flatMap(({ answer }) => (answer.length === length ? [answer.caller] : []));
      const ofUser = callers.filter((caller) => caller.id === id).length;
      if (length === 'long') {
        if (ofUser >= limits.longAtOnce)
          throw new AppError('too-many', TOO_MANY_RESPONSES, { retryAfter: 5 });
        return;
      }
      if (ofUser >= limits.exportsAtOnce)
        throw new AppError('too-many', TOO_MANY_EXPORTS, { retryAfter: 60 });
      const ofStudents = callers.filter((caller) => caller.role === 'student').length;
      if (role === 'student' && ofStudents >= limits.exportsOfStudents)
        throw new AppError('unavailable', BUSY_WITH_EXPORTS, { retryAfter: 60 });
    },

    /**
     * Guards a response until it is closed.
     * @param rightSince when its request arrived, as `performance.now()`. The right was looked up after that, so a
     * change notified since then may have revoked it.
     */
    add(answer: GuardedResponse, rightSince: number): Authorization {
      const entry: GuardEntry = { answer, confirmedAt: rightSince, asked: null, next: null, recheck: null };
      open.add(entry);
      if (heardAt >= rightSince) recheck(entry);
      return {
        confirmed: () => requestCheck(entry),
        recheck: () => entry.recheck,
        close: () => leave(entry),
      };
    },

    /** Closes everything that is still open. */
    close() {
      stopListening();
      clearInterval(timer);
      for (const entry of open) end(entry);
    },
  };
}
