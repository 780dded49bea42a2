import type { Endpoint } from '#shared/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import {
  createConcurrencyLimiter,
  createFairShareCooldown,
  createKeyedLimiter,
  TOO_MANY_REQUESTS_MESSAGE,
} from '../concurrency/concurrency-limiter.ts';
import type { HttpLimits } from './limits.ts';

const TOO_MANY_UPLOADS =
  'Your other uploads are still running. Nothing is lost. Please wait until they finish, then send this again.';

/**
 * Limits how many requests from one user this process handles concurrently, so that a burst leaves room for
 * others. Uploads have separate limits, because they take memory. Requests beyond a limit wait unread for a
 * while instead of being rejected, because a browser may send several at once.
 */
export function createRequestLimiter(limits: HttpLimits) {
  const { uploadWaitMs: maxWaitMs, uploadsWaiting, requestsWaiting } = limits;
  const limiter = (atOnce: number, maxWaiting: number, message: string) =>
    createKeyedLimiter({
      ...{ maxConcurrent: atOnce, maxQueued: maxWaiting, maxWaitMs },
      createError: () => new AppError('too-many', message, { retryAfter: Math.ceil(maxWaitMs / 1000) }),
    });
  const forms = limiter(limits.formsAtOnce, uploadsWaiting, TOO_MANY_UPLOADS);
  const chunks = limiter(limits.chunksAtOnce, uploadsWaiting, TOO_MANY_UPLOADS);
  const others = limiter(limits.requestsAtOnce, requestsWaiting, TOO_MANY_REQUESTS_MESSAGE);

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
 * Runs a task that reads many rows for a user, after waiting for its turn.
 * @param signal aborts the wait
 * @throws AppError 'too-many' or 'unavailable' if too many tasks wait, this task has waited too long, or
 * `signal` is aborted
 */
export type ListLimiter = <T>(userId: string, signal: AbortSignal, task: () => Promise<T>) => Promise<T>;

/** Limits on one user's list requests. A page sends a few of them concurrently, and each takes milliseconds. */
const LIST_LIMITS_PER_USER = { maxConcurrent: 2, maxQueued: 100, maxWaitMs: 30_000 };

/** Maximum share of time that one user's list requests may take, after an initial burst of a few pages. */
const LIST_SHARE_PER_USER = { share: 0.2, burstMs: 300, maxMs: 1_000 };

/** Maximum number of list requests that wait. More than the number of users online in any community. */
const MAX_QUEUED_LISTS = 500;

/**
 * Limits concurrent list requests, because each uses a database connection. A quarter of the pool stays free
 * for sign-in, uploads, playback and email. Each user can run two list requests at a time, with a cooldown
 * after each, so that endless requests from one user don't delay others.
 * @param connections size of this process's connection pool
 */
export function createListLimiter(connections: number): ListLimiter {
  const ofAll = createConcurrencyLimiter({
    maxConcurrent: Math.floor((connections * 3) / 4),
    maxQueued: MAX_QUEUED_LISTS,
    createError: tooBusyError,
  });
  const ofEach = createKeyedLimiter({
    ...LIST_LIMITS_PER_USER,
    cooldown: createFairShareCooldown(LIST_SHARE_PER_USER),
  });
  return (userId, signal, task) => ofEach(userId, () => ofAll(task, { signal }), signal);
}

const tooBusyError = () =>
  new AppError('unavailable', 'The server is busy right now. Please try again in a moment.', {
    retryAfter: 5,
  });
