import { concurrency } from '../concurrency.ts';
import { restsOf, slotsForEach } from '../slots.ts';

/**
 * Runs what reads many rows, for a user, in its turn.
 * @param gone gives up waiting
 * @throws AppError 'too-many' or 'unavailable' when too many wait
 */
export type ListTurns = <T>(userId: string, gone: AbortSignal, task: () => Promise<T>) => Promise<T>;

/** A page asks for a few lists at the same moment; each is answered within milliseconds. */
const OF_ONE_USER = { atOnce: 2, waiting: 100, waitMs: 30_000 };

/** What the lists of one user may take of the time, beyond those of a few pages. */
const RESTS = { share: 0.2, burstMs: 300, longestMs: 1_000 };

/** More than a community has people there at once. */
const MOST_WAITING = 500;

/**
 * Each list has one connection at a time: a quarter of them stays free for signing in, sending, hearing and the mail.
 * And each user has two lists at a time, and then rests, so that one who asks without end holds nobody else up.
 * @param connections that the process has to its database
 */
export function listTurns(connections: number): ListTurns {
  const ofAll = concurrency(Math.floor((connections * 3) / 4), MOST_WAITING);
  const ofEach = slotsForEach({ ...OF_ONE_USER, restAfter: restsOf(RESTS) });
  return (userId, gone, task) => ofEach(userId, gone, () => ofAll(task, gone));
}
