import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';

/** System error codes of connections that failed, were closed, or found no server or route. */
const NETWORK_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Messages of the driver's own errors, which have no code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** SQLSTATE of a write to a server that is a standby, was demoted, or is set to read-only. */
export const READ_ONLY_SQLSTATE = '25006';

/** SQLSTATEs of connection errors, insufficient resources, a shutdown or startup, and a read-only server. */
const UNAVAILABLE_STATES = new RegExp(`^(08|53|57P|25P03|${READ_ONLY_SQLSTATE})`);

/** SQLSTATE of a statement that waited longer than `lock_timeout` for a lock. */
export const LOCK_TIMEOUT_SQLSTATE = '55P03';

/** SQLSTATEs of a statement that was cancelled (by its timeout or by us) or that couldn't get a lock. */
const CANCELLED_STATES = new Set(['57014', LOCK_TIMEOUT_SQLSTATE]);

/** Returns whether an error means that the database was unavailable, or became unavailable during a query. */
export function isDatabaseDownError(error: unknown): boolean {
  return getCauses(error).some((at) => {
    if (at instanceof pg.DatabaseError) return UNAVAILABLE_STATES.test(at.code ?? '');
    const { code, syscall } = at as NodeJS.ErrnoException;
    // Also checks the syscall, because ENOENT can mean a missing file or a missing socket. Only a socket's
    // error has the syscall 'connect'.
    return NETWORK_ERROR_CODES.has(code ?? '') || syscall === 'connect' || DRIVER_MESSAGES.test(at.message);
  });
}

/** Returns whether an error means that the server rejected a write because it is read-only. */
export const isReadOnlyError = (error: unknown) =>
  getCauses(error).some((at) => at instanceof pg.DatabaseError && at.code === READ_ONLY_SQLSTATE);

/** Returns whether an error means that a statement was cancelled or couldn't get a lock. */
export const isQueryCancelledError = (error: unknown) =>
  getCauses(error).some((at) => at instanceof pg.DatabaseError && CANCELLED_STATES.has(at.code ?? ''));

/**
 * Returns whether a query failed only because the database was unavailable or too slow, so that it may
 * succeed later.
 */
export const isTransientDatabaseFailure = (error: unknown) =>
  // Checks only failed queries, because file and network errors can have the same codes.
  getCauses(error).some((at) => at instanceof DrizzleQueryError) &&
  (isDatabaseDownError(error) || isQueryCancelledError(error));

/** Returns the error and all its causes. Drizzle wraps the driver's error in its own. */
function getCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...getCauses(error.cause)] : [];
}

/**
 * Returns whether the failed query's error also ended the database session. Otherwise only the query was rolled
 * back.
 */
export const isFatalDatabaseError = (error: unknown) =>
  getCauses(error).some((at) => at instanceof pg.DatabaseError && /^(FATAL|PANIC)$/.test(at.severity ?? ''));
