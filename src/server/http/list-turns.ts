import { concurrency } from '../concurrency/concurrency.ts';
import { restsOf, slotsForEach } from '../concurrency/slots.ts';

/**
 * Queues and runs a query that reads many rows on behalf of a user.
 * @param gone aborts the waiting
 * @throws AppError 'too-many' or 'unavailable' when the queue is full
 */
export type ListTurns = <T>(userId: string, signal: AbortSignal, task: () => Promise<T>) => Promise<T>;

/** A page requests a few lists at once; each takes milliseconds. */
const OF_ONE_USER = { atOnce: 2, waiting: 100, waitMs: 30_000 };

/** The share of time that one user's lists may take, beyond those of a few pages. */
const RESTS = { share: 0.2, burstMs: 300, longestMs: 1_000 };

/** More than a community ever has online at once. */
const MOST_WAITING = 500;

/**
 * Each list uses one connection: a quarter of the pool stays free for signing in, uploads, playback and mail. And each
 * user has two lists at a time, followed by a cooldown, so that endless requests of one hold nobody else up.
 * @param connections size of the process's pool
 */
export function listTurns(connections: number): ListTurns {
  const ofAll = concurrency(Math.floor((connections * 3) / 4), MOST_WAITING);
  const ofEach = slotsForEach({ ...OF_ONE_USER, restAfter: restsOf(RESTS) });
  return (userId, signal, task) => ofEach(userId, signal, () => ofAll(task, signal));
}
