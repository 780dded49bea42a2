import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#shared/errors.ts';
import { concerns, type ChangeFeed } from '../db/changes.ts';
import type { Log } from '../log.ts';
import type { Caller } from '../auth/sessions.ts';
import { outsideRequests } from './request-id.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';

/** In milliseconds; tests pass shorter ones. */
export const RESPONSE_LIMITS = {
  /** Everything open is rechecked at this interval, whatever was notified. */
  askEvery: 3_000,
  /** Responses that could not be confirmed for this long are cut off: the database may be down, and access revoked. */
  grace: 10_000,
  /** Between two rounds of checks: requests within it are batched. */
  pause: 20,
  /** A connection that accepts no data for this long is cut off. */
  stalled: 60_000,
  /** Concurrent long responses per user: two browsers with six connections each. */
  longAtOnce: 12,
  /** Concurrent exports per user, and of all students: each keeps a file open for as long as its client takes. */
  exportsAtOnce: 2,
  exportsOfStudents: 12,
};

const TOO_MANY_LONG = 'Too many recordings are being loaded at once. Please close some, then try again.';
const TOO_MANY_EXPORTS =
  'Other downloads of yours are still on their way. Please let one of them end, then try again.';
const BUSY_WITH_EXPORTS =
  'Several people are downloading everything at this moment. Please try again in a few minutes.';

/** After a check that failed. */
const RETRY_MS = 500;

export type ResponseLimits = typeof RESPONSE_LIMITS;

/** A long-running response. */
export type OpenResponse = {
  /** The session id from the request's cookie. */
  session: string;
  caller: Caller;
  /** The name of the file that it serves; null for what only needs a session. */
  file: string | null;
  /** Long: part of a song, not a picture. An export is everything of somebody. */
  length: 'short' | 'long' | 'export';
  /** Aborts the response. */
  end(): void;
};

export type Right = {
  /**
   * Resolves when the right has been confirmed by a check that started after this call. Rejects when it was revoked, or
   * the response was closed.
   */
  confirmed(): Promise<void>;
  /** A change was notified that may have revoked the right: settles as `confirmed` does. Null while there is no doubt. */
  recheck(): Promise<void> | null;
  /** The response has finished by itself. */
  close(): void;
};

export type OpenResponses = ReturnType<typeof openResponses>;

type Entry = {
  answer: OpenResponse;
  confirmedAt: number;
  /** Settled by the current round, and by the next one. */
  asked: PromiseWithResolvers<void> | null;
  next: PromiseWithResolvers<void> | null;
  recheck: Promise<void> | null;
};

/**
 * Long-running responses: files and event streams. Their authorization is checked in batches, with a few queries
 * however many there are: as soon as a change concerns their caller, whenever a response asks, and every few seconds. A
 * response whose right was revoked is cut off.
 */
export function openResponses(
  deps: {
    changes: ChangeFeed;
    /** The user of each of these sessions. */
    callersOf(sessions: string[]): Promise<Map<string, Caller>>;
    /** For each, in the same order: whether the viewer may have this file now. */
    mayHave(asked: { viewer: Caller; name: string }[]): Promise<boolean[]>;
    log: Pick<Log, 'warn'>;
  },
  limits: ResponseLimits = RESPONSE_LIMITS,
) {
  const open = new Set<Entry>();
  let isAsking = false;
  let heardAt = -Infinity;

  function ask(entry: Entry): Promise<void> {
    if (!entry.next) {
      entry.next = Promise.withResolvers();
      // Not every caller awaits the result.
      entry.next.promise.catch(() => undefined);
    }
    void outsideRequests(askInRounds);
    return entry.next.promise;
  }

  function recheck(entry: Entry) {
    const asked = ask(entry);
    entry.recheck = asked;
    const settle = () => {
      if (entry.recheck === asked) entry.recheck = null;
    };
    asked.then(settle, () => undefined);
  }

  /** One round at a time while there are requests; those that arrive meanwhile wait for the next. */
  async function askInRounds() {
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
        const may = await withTimeout(limits.grace, rightsOf(round.map(({ answer }) => answer)));
        round.forEach((entry, at) => (may[at] ? confirm(entry, begunAt) : end(entry)));
        failures = 0;
      } catch (error) {
        if (failures === 0) deps.log.warn({ error }, 'cannot check the authorization of open responses');
        failures += 1;
        for (const entry of round) askAgain(entry);
      }
      await sleep(failures > 0 ? RETRY_MS : limits.pause);
    }
    isAsking = false;
  }

  function confirm(entry: Entry, at: number) {
    entry.confirmedAt = at;
    entry.asked?.resolve();
    entry.asked = null;
  }

  function askAgain(entry: Entry) {
    const { asked } = entry;
    entry.asked = null;
    // Ended meanwhile: its callers have already been notified.
    if (!asked || !open.has(entry)) return;
    ask(entry).then(asked.resolve, asked.reject);
  }

  async function rightsOf(answers: OpenResponse[]): Promise<boolean[]> {
    const callers = await deps.callersOf([...new Set(answers.map(({ session }) => session))]);
    const viewers = answers.map(({ session, caller }) => {
      const now = callers.get(session);
      return now?.id === caller.id ? now : null;
    });
    const asked = answers.flatMap(({ file }, at) => {
      const viewer = viewers[at];
      return viewer && file !== null ? [{ at, viewer, name: file }] : [];
    });
    const may = await deps.mayHave(asked);
    const mayHaveFile = new Map(asked.map(({ at }, index) => [at, may[index]]));
    return answers.map(
      ({ file }, at) => viewers[at] !== null && (file === null || mayHaveFile.get(at) === true),
    );
  }

  function leave(entry: Entry) {
    open.delete(entry);
    for (const waiting of [entry.asked, entry.next]) waiting?.reject(new Error('The answer has ended.'));
  }

  function end(entry: Entry) {
    leave(entry);
    entry.answer.end();
  }

  const stopListening = deps.changes.listen({
    onChange(change) {
      heardAt = performance.now();
      for (const entry of open) if (concerns(change, entry.answer.caller)) recheck(entry);
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
      else void ask(entry);
    }
  }, limits.askEvery);

  return {
    limits,

    /**
     * @throws AppError 'too-many' when the user has as many of these responses open as allowed; 'unavailable' when all
     *   students together have, for a student
     */
    refuseTooMany({ id, role }: Caller, length: 'long' | 'export') {
      const callers = [...open].flatMap(({ answer }) => (answer.length === length ? [answer.caller] : []));
      const ofUser = callers.filter((caller) => caller.id === id).length;
      if (length === 'long') {
        if (ofUser >= limits.longAtOnce) throw new AppError('too-many', TOO_MANY_LONG, { retryAfter: 5 });
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
     * @param rightSince when its request arrived, as `performance.now()`: the right was looked up after that, and a
     *   change notified since may have revoked it
     */
    add(answer: OpenResponse, rightSince: number): Right {
      const entry: Entry = { answer, confirmedAt: rightSince, asked: null, next: null, recheck: null };
      open.add(entry);
      if (heardAt >= rightSince) recheck(entry);
      return {
        confirmed: () => ask(entry),
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
