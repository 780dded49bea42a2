import { CallError, failureOf, isOtherUser, isUnauthorized } from '../api/call.ts';

// What a failed try says about the next one.

/** Upper bound of a wait: even a day's may be over sooner, as a recording is withdrawn or space is freed. */
const LONGEST_WAIT_MS = 60 * 60 * 1_000;

export type AskedToWait = {
  /** The server's sentence. */
  readonly reason: string;
  /** When the server expects to accept the file, in milliseconds since 1970; null if it did not say. */
  readonly until: number | null;
};

/** Too many (429) or storage full (507): nothing is wrong with the file, and the server's message says why to wait. */
export function waitAskedBy(error: unknown): AskedToWait | null {
  if (!(error instanceof CallError) || ![429, 507].includes(error.status)) return null;
  const { serverMessage: reason, retryAfter } = error;
  return reason === null ? null : { reason, until: retryAfter && Date.now() + retryAfter * 1_000 };
}

/** How long the server asks to wait before the next try, in milliseconds. */
export const pauseAskedBy = (error: unknown) =>
  error instanceof CallError ? Math.min((error.retryAfter ?? 0) * 1_000, LONGEST_WAIT_MS) : 0;

/** No answer, or 408: the server received nothing any more, and times out sooner than a browser does. */
export const isLostConnection = (error: unknown) =>
  failureOf(error) === 'no-answer' || (error instanceof CallError && error.status === 408);

/** Also a try that was aborted, though it was still wanted, is a fault. */
export function hindranceOf(error: unknown) {
  if (isUnauthorized(error) || isOtherUser(error)) return 'signed-out';
  if (isLostConnection(error)) return 'offline';
  return failureOf(error) === 'refused' ? 'server' : 'fault';
}

/** Bad input, too large, not audio: no retry helps. What may pass (401, 404 of a deleted upload, 5xx) is not final. */
export const isFinal = (status: number) => [400, 403, 413, 415].includes(status);
