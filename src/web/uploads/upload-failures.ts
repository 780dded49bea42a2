import { CallError, classifyError, isOtherUserError, isUnauthorizedError } from '../api/call.ts';

// Decides after a failed attempt whether and when to try again.

/**
 * Maximum wait. Even if the server requests a wait of a day, it may accept the file sooner, for example after a
 * recording is withdrawn or space is freed.
 */
const MAX_WAIT_MS = 60 * 60 * 1_000;

export type RequestedWait = {
  /** The server's message. */
  readonly reason: string;
  /** When the server expects to accept the file, in milliseconds since 1970; null if it did not say. */
  readonly until: number | null;
};

/**
 * Returns the wait that the server requests with status 429 (too many) or 507 (storage full). With both, the
 * file itself is acceptable, and the server's message explains the wait. Returns null for any other error,
 * and if there is no message.
 */
export function getRequestedWait(error: unknown): RequestedWait | null {
  if (!(error instanceof CallError) || ![429, 507].includes(error.status)) return null;
  const { serverMessage: reason, retryAfter } = error;
  return reason === null ? null : { reason, until: retryAfter && Date.now() + retryAfter * 1_000 };
}

/**
 * Returns the delay before the next attempt, as requested by the server, in milliseconds; 0 if it requested
 * none, at most MAX_WAIT_MS.
 */
export const getRetryAfterMs = (error: unknown) =>
  error instanceof CallError ? Math.min((error.retryAfter ?? 0) * 1_000, MAX_WAIT_MS) : 0;

/**
 * Returns whether the connection was lost: there was no response, or a 408 because the server received no more
 * data. The server times out sooner than a browser does.
 */
export const isLostConnectionError = (error: unknown) =>
  classifyError(error) === 'no-answer' || (error instanceof CallError && error.status === 408);

/** Classifies why an upload attempt failed. An abort that nobody requested counts as a fault too. */
export function classifyUploadFailure(error: unknown) {
  if (isUnauthorizedError(error) || isOtherUserError(error)) return 'signed-out';
  if (isLostConnectionError(error)) return 'offline';
  return classifyError(error) === 'refused' ? 'server' : 'fault';
}

/**
 * Returns whether retrying is pointless: bad input, forbidden, too large, not audio. Errors that may pass
 * (401, 404 for a deleted upload, 5xx) are not final.
 */
export const isPermanentFailureStatus = (status: number) => [400, 403, 413, 415].includes(status);
