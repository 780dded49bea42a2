import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../contract/errors.ts';
import { isMeant, type ChangeFeed } from './changes.ts';
import type { Log } from './log.ts';
import type { Caller } from './sessions.ts';
import { within } from './within.ts';

/** In milliseconds; tests bring shorter ones. */
export const ANSWER_LIMITS = {
  /** All that is open is asked about so often, whatever was heard. */
  askEvery: 3_000,
  /** What could not be confirmed for so long ends: the database may be down, and the answer may be no. */
  grace: 10_000,
  /** Between two rounds of asking: so many questions come together in one. */
  pause: 20,
  /** A connection that takes nothing for so long is cut off. */
  stalled: 60_000,
  /** Long answers of one user at once: two browsers with six connections each. */
  longAtOnce: 12,
};

const TOO_MANY = 'Too many recordings are being loaded at once. Please close some, then try again.';

/** After a question that was not answered. */
const RETRY_MS = 500;

export type AnswerLimits = typeof ANSWER_LIMITS;

/** An answer that takes its time. */
export type OpenAnswer = {
  /** The id in the cookie that it was asked for with. */
  session: string;
  caller: Caller;
  /** The name of the file that it brings; null for what needs a session only. */
  file: string | null;
  /** Many bytes: a part of a song, not a picture. */
  isLong: boolean;
  /** Cuts it off. */
  end(): void;
};

export type Right = {
  /**
   * Resolves when the right has been confirmed by a question that was asked after this call.
   * Rejects when it has gone, or the answer was closed.
   */
  confirmed(): Promise<void>;
  /** Something was told that may have taken the right away: settles as `confirmed` does. Null while there is no doubt. */
  doubt(): Promise<void> | null;
  /** The answer has ended by itself. */
  close(): void;
};

export type OpenAnswers = ReturnType<typeof openAnswers>;

type Entry = {
  answer: OpenAnswer;
  confirmedAt: number;
  /** Settled by the round under way, and by the one after it. */
  asked: PromiseWithResolvers<void> | null;
  next: PromiseWithResolvers<void> | null;
  doubt: Promise<void> | null;
};

/**
 * What is being answered at this moment and takes longer than a question: files and events. The rights of all of it
 * are asked about together, a few queries however many there are: as soon as a change is told to its caller, whenever
 * an answer asks, and every few seconds. An answer whose right has gone is cut off.
 */
export function openAnswers(
  deps: {
    changes: ChangeFeed;
    /** Who holds each of these sessions now. */
    callersOf(sessions: string[]): Promise<Map<string, Caller>>;
    /** For each, in the same order: whether the viewer may have this file now. */
    mayHave(asked: { viewer: Caller; name: string }[]): Promise<boolean[]>;
    log: Pick<Log, 'warn'>;
  },
  limits: AnswerLimits = ANSWER_LIMITS,
) {
  const open = new Set<Entry>();
  let isAsking = false;
  let heardAt = -Infinity;

  function ask(entry: Entry): Promise<void> {
    if (!entry.next) {
      entry.next = Promise.withResolvers();
      // Not everyone who asks waits for the answer.
      entry.next.promise.catch(() => undefined);
    }
    void askInRounds();
    return entry.next.promise;
  }

  function doubt(entry: Entry) {
    const asked = ask(entry);
    entry.doubt = asked;
    const settle = () => {
      if (entry.doubt === asked) entry.doubt = null;
    };
    asked.then(settle, () => undefined);
  }

  /** One round after the other while anybody asks; what is asked meanwhile waits for the next. */
  async function askInRounds() {
    if (isAsking) return;
    isAsking = true;
    // What is asked in the same breath comes into the same round.
    await Promise.resolve();
    let failures = 0;
    for (;;) {
      const round = [...open].filter(({ next }) => next !== null);
      if (round.length === 0) break;
      for (const entry of round) [entry.asked, entry.next] = [entry.next, null];
      const begunAt = performance.now();
      try {
        // A query that is never answered must not keep the next one from being asked.
        const may = await within(limits.grace, rightsOf(round.map(({ answer }) => answer)));
        round.forEach((entry, at) => (may[at] ? confirm(entry, begunAt) : end(entry)));
        failures = 0;
      } catch (error) {
        if (failures === 0) deps.log.warn({ error }, 'whether open answers may go on could not be asked');
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
    // Ended meanwhile: whoever asked has been told.
    if (!asked || !open.has(entry)) return;
    ask(entry).then(asked.resolve, asked.reject);
  }

  async function rightsOf(answers: OpenAnswer[]): Promise<boolean[]> {
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
      for (const entry of open) if (isMeant(change, entry.answer.caller)) doubt(entry);
    },
    onMissed() {
      heardAt = performance.now();
      for (const entry of open) doubt(entry);
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

    /** @throws AppError 'too-many' when the user has as many long answers open as one may */
    refuseTooManyLong(userId: string) {
      const long = [...open].filter(({ answer }) => answer.isLong && answer.caller.id === userId);
      if (long.length >= limits.longAtOnce) throw new AppError('too-many', TOO_MANY, { retryAfter: 5 });
    },

    /**
     * Watches over an answer from now on, until it is closed.
     * @param rightSince when its request came, as `performance.now()`: the right was looked up after that, and what
     *   was told since then may have come in between
     */
    add(answer: OpenAnswer, rightSince: number): Right {
      const entry: Entry = { answer, confirmedAt: rightSince, asked: null, next: null, doubt: null };
      open.add(entry);
      if (heardAt >= rightSince) doubt(entry);
      return {
        confirmed: () => ask(entry),
        doubt: () => entry.doubt,
        close: () => leave(entry),
      };
    },

    /** Ends all that is still open. */
    close() {
      stopListening();
      clearInterval(timer);
      for (const entry of open) end(entry);
    },
  };
}
