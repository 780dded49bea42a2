import type { FastifyRequest } from 'fastify';
import { JSON_BYTES, LONG_JSON_BYTES, type Endpoint } from '../../contract/endpoint.ts';
import { AppError } from '../../contract/errors.ts';
import { slotsForEach } from '../slots.ts';
import type { HttpLimits } from './limits.ts';

/** What mounting needs for uploads. */
export type Uploads = {
  inSlot: ReturnType<typeof uploadSlots>;
  /** Gives the body of this request the time of an upload; for people who are signed in. */
  giveTime(request: FastifyRequest): void;
};

/** Whether an endpoint takes more than JSON: files, or chunks of them. */
export const isUpload = (endpoint: Endpoint) => Boolean(endpoint.files ?? endpoint.bytes);

/** Whether its body may need more time than others: over a poor connection, a long draft does too. */
export const takesLong = (endpoint: Endpoint) =>
  isUpload(endpoint) || (endpoint.bodyBytes ?? JSON_BYTES) > LONG_JSON_BYTES;

/**
 * Bounds how many uploads of one user are open at once in this process, and with that the memory they hold. Others
 * wait unread for a while, because a browser may send several.
 */
export function uploadSlots({ formsAtOnce, chunksAtOnce, uploadsWaiting, uploadWaitMs }: HttpLimits) {
  const refusal = () => new AppError('too-many', TOO_MANY, { retryAfter: Math.ceil(uploadWaitMs / 1000) });
  const waits = { waiting: uploadsWaiting, waitMs: uploadWaitMs };
  const forms = slotsForEach({ atOnce: formsAtOnce, ...waits }, refusal);
  const chunks = slotsForEach({ atOnce: chunksAtOnce, ...waits }, refusal);

  /**
   * @param task reads the body and does what is asked with it
   * @throws AppError 'too-many'
   */
  return function inSlot<T>(endpoint: Endpoint, userId: string, gone: AbortSignal, task: () => Promise<T>) {
    return (endpoint.files ? forms : chunks)(userId, gone, task);
  };
}

const TOO_MANY =
  'Other things that you have sent are still on their way. Nothing is lost here: please let them arrive, then send this again.';
