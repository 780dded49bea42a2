import type { Endpoint } from '#shared/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import {
  concurrencyLimiter,
  fairShareCooldown,
  keyedLimiter,
  TOO_MANY_REQUESTS,
} from '../concurrency/concurrency-limiter.ts';
import type { HttpLimits } from './limits.ts';

const UPLOADS =
  'Your other uploads are still running. Nothing is lost. Please wait until they finish, then send this again.';

/**
 * Limits the requests of one user that this process handles at once, so that a burst leaves room for others. Limits
 * uploads separately, because of their memory. Further requests wait unread for a while, because a browser may send
 * several.
 */
export function requestLimiter(limits: HttpLimits) {
  const { uploadWaitMs: maxWaitMs, uploadsWaiting, requestsWaiting } = limits;
  const limiter = (atOnce: number, maxWaiting: number, message: string) =>
    keyedLimiter({
      ...{ atOnce, maxWaiting, maxWaitMs },
      refusal: () => new AppError('too-many', message, { retryAfter: Math.ceil(maxWaitMs / 1000) }),
    });
  const forms = limiter(limits.formsAtOnce, uploadsWaiting, UPLOADS);
  const chunks = limiter(limits.chunksAtOnce, uploadsWaiting, UPLOADS);
  const others = limiter(limits.requestsAtOnce, requestsWaiting, TOO_MANY_REQUESTS);

  /** @throws AppError 'too-many' */
  return function limited<T>(
    { files, bytes }: Endpoint,
    userId: string,
    signal: AbortSignal,
    task: () => Promise<T>,
  ) {
    const limiterOf = files ? forms : bytes ? chunks : others;
    return limiterOf(userId, task, signal);
  };
}

/**
 * Queues and runs a query that reads many rows for a user.
 * @param signal aborts the waiting
 * @throws AppError 'too-many' or 'unavailable' when the queue is full
 */
export type ListLimiter = <T>(userId: string, signal: AbortSignal, task: () => Promise<T>) => Promise<T>;

/** A page requests a few lists at once, and each takes milliseconds. */
const LISTS_OF_ONE_USER = { atOnce: 2, maxWaiting: 100, maxWaitMs: 30_000 };

/** Share of the time that one user's lists may take, beyond a burst of a few pages. */
const SHARE_OF_ONE_USER = { share: 0.2, burstMs: 300, maxMs: 1_000 };

/** More than any community has online at once. */
const MAX_LISTS_WAITING = 500;

/**
 * Limits lists, each of which uses one connection. A quarter of the pool stays free for sign-in, uploads, playback
 * and mail. Each user has two lists at a time, followed by a cooldown, so that endless requests from one user delay
 * nobody else.
 * @param connections size of the process's pool
 */
export function listLimiter(connections: number): ListLimiter {
  const ofAll = concurrencyLimiter({
    atOnce: Math.floor((connections * 3) / 4),
    maxWaiting: MAX_LISTS_WAITING,
    refusal: tooBusy,
  });
  const ofEach = keyedLimiter({ ...LISTS_OF_ONE_USER, cooldown: fairShareCooldown(SHARE_OF_ONE_USER) });
  return (userId, signal, task) => ofEach(userId, () => ofAll(task, { signal }), signal);
}

const tooBusy = () =>
  new AppError('unavailable', 'The server is busy right now. Please try again in a moment.', {
    retryAfter: 5,
  });
