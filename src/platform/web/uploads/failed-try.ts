import { CallError, isOtherUser, isUnauthorized } from '../call.ts';

// What a try that did not get through says of the next one.

/** A day's wait may be over sooner: a recording is withdrawn, room is made. */
const LONGEST_WAIT_MS = 60 * 60 * 1_000;

export type AskedToWait = {
  /** The server's sentence. */
  readonly reason: string;
  /** When the server expects to take it, in milliseconds since 1970; null where it did not say. */
  readonly until: number | null;
};

/** Too many, or no room: nothing is wrong with the file, and a sentence of the server's own says what to wait for. */
export function waitAskedBy(error: unknown): AskedToWait | null {
  if (!(error instanceof CallError) || ![429, 507].includes(error.status)) return null;
  const { serverMessage: reason, retryAfter } = error;
  return reason === null ? null : { reason, until: retryAfter && Date.now() + retryAfter * 1_000 };
}

/** Milliseconds in which the server does not want to be asked again. */
export const pauseAskedBy = (error: unknown) =>
  error instanceof CallError ? Math.min((error.retryAfter ?? 0) * 1_000, LONGEST_WAIT_MS) : 0;

/** No answer, or the server's word that nothing came any more (408): it gives up sooner than a browser does. */
export const isLostConnection = (error: unknown) =>
  error instanceof CallError && (error.status === 0 || error.status === 408);

/** Whatever is neither an answer nor the want of one is a fault of the program. */
export function hindranceOf(error: unknown) {
  if (isUnauthorized(error) || isOtherUser(error)) return 'signed-out';
  if (!(error instanceof CallError)) return 'fault';
  return isLostConnection(error) ? 'offline' : 'server';
}

/** Bad input, too large, no audio: no further try helps. What may pass (401, 404 of a forgotten upload, 5xx) is none. */
export const isFinal = (status: number) => [400, 403, 413, 415].includes(status);
