import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';

/** System error codes about a connection: it failed, was closed, or found no server or route. */
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

/** Messages of errors that come from the driver and have no code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** SQLSTATE of a write refused because the server is a standby, was demoted, or is set to read-only. */
export const READ_ONLY = '25006';

/** SQLSTATE classes and codes: connection errors, insufficient resources, shutdown or startup, a read-only server. */
const UNAVAILABLE_STATES = new RegExp(`^(08|53|57P|25P03|${READ_ONLY})`);

/** SQLSTATE for waiting longer than `lock_timeout` for a lock. */
export const LOCK_TIMEOUT = '55P03';

/** SQLSTATEs of a statement cancelled by its timeout or by us, and of a lock that was not available. */
const CANCELLED_STATES = new Set(['57014', LOCK_TIMEOUT]);

/** Returns whether the database was unavailable, or became unavailable during the work. */
export function isDatabaseDown(error: unknown): boolean {
  return getCauses(error).some((at) => {
    if (at instanceof pg.DatabaseError) return UNAVAILABLE_STATES.test(at.code ?? '');
    const { code, syscall } = at as NodeJS.ErrnoException;
    // ENOENT can mean a missing file or a missing socket. Only a socket has the syscall 'connect'.
    return NETWORK_ERROR_CODES.has(code ?? '') || syscall === 'connect' || DRIVER_MESSAGES.test(at.message);
  });
}

/** Returns whether the server refuses writes. */
export const isReadOnlyError = (error: unknown) =>
  getCauses(error).some((at) => at instanceof pg.DatabaseError && at.code === READ_ONLY);

/** Returns whether a statement was cancelled, or its lock was not available. */
export const isCancelled = (error: unknown) =>
  getCauses(error).some((at) => at instanceof pg.DatabaseError && CANCELLED_STATES.has(at.code ?? ''));

/** Returns whether a query failed because of the database's current state, and would succeed at a better moment. */
export const isTransientFailure = (error: unknown) =>
  // Failures of files and of the client's own connection have the same codes, so only failed queries count.
  getCauses(error).some((at) => at instanceof DrizzleQueryError) &&
  (isDatabaseDown(error) || isCancelled(error));

/** Returns the error and all its causes. Drizzle wraps the driver's error in one of its own. */
function getCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...getCauses(error.cause)] : [];
}

/** Returns whether a failed query lost its session, at whatever point. Otherwise only the query was rolled back. */
export const hasEndedSession = (error: unknown) =>
  getCauses(error).some((at) => at instanceof pg.DatabaseError && /^(FATAL|PANIC)$/.test(at.severity ?? ''));
