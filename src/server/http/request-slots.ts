import type { Endpoint } from '#shared/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import { slotsForEach, TOO_MANY_REQUESTS } from '../concurrency/slots.ts';
import type { HttpLimits } from './limits.ts';

/**
 * Limits the requests of one user that this process handles at once, so that a burst leaves room for others; and
 * uploads, and with them their memory. Excess ones wait unread for a while, because a browser may send several.
 */
export function requestSlots(limits: HttpLimits) {
  const { uploadWaitMs: waitMs, uploadsWaiting: waiting } = limits;
  const refusal = (message: string) => () =>
    new AppError('too-many', message, { retryAfter: Math.ceil(waitMs / 1000) });
  const forms = slotsForEach({ atOnce: limits.formsAtOnce, waiting, waitMs }, refusal(UPLOADS));
  const chunks = slotsForEach({ atOnce: limits.chunksAtOnce, waiting, waitMs }, refusal(UPLOADS));
  const others = slotsForEach(
    { atOnce: limits.requestsAtOnce, waiting: limits.requestsWaiting, waitMs },
    refusal(TOO_MANY_REQUESTS),
  );

  /**
   * @param task reads the body and handles the request
   * @throws AppError 'too-many'
   */
  return function inSlot<T>(endpoint: Endpoint, userId: string, signal: AbortSignal, task: () => Promise<T>) {
    const slots = endpoint.files ? forms : endpoint.bytes ? chunks : others;
    return slots(userId, signal, task);
  };
}

const UPLOADS =
  'Other things that you have sent are still on their way. Nothing is lost here: please let them arrive, then send this again.';
