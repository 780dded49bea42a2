import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';

/** No socket yet or any more, nobody listening, no route; system error codes about a connection. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The driver's own messages, which have no code. */
const DRIVER =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** SQLSTATE of a write that the server refuses: it is a standby, was demoted, or is set to read-only. */
export const READ_ONLY = '25006';

/** SQLSTATE classes and codes: connection errors, insufficient resources, shutdown or startup, a read-only server. */
const AWAY = new RegExp(`^(08|53|57P|25P03|${READ_ONLY})`);

/** SQLSTATE of waiting for a lock longer than `lock_timeout`. */
export const LOCK_TIMEOUT = '55P03';

/** A statement cancelled by its timeout or by us; a lock that was not available. */
const GAVE_UP = new Set(['57014', LOCK_TIMEOUT]);

/** Whether the database was unavailable, or became so during the work. */
export function isAway(error: unknown): boolean {
  return causesOf(error).some((at) => {
    if (at instanceof pg.DatabaseError) return AWAY.test(at.code ?? '');
    const { code, syscall } = at as NodeJS.ErrnoException;
    // A file can be missing too; a socket is connected to.
    return NETWORK.has(code ?? '') || syscall === 'connect' || DRIVER.test(at.message);
  });
}

/** Whether the server refuses writes. */
export const isReadOnly = (error: unknown) =>
  causesOf(error).some((at) => at instanceof pg.DatabaseError && at.code === READ_ONLY);

/** Whether a statement was cancelled by its timeout. */
export const hasGivenUp = (error: unknown) =>
  causesOf(error).some((at) => at instanceof pg.DatabaseError && GAVE_UP.has(at.code ?? ''));

/** Whether a query failed because of the database's current state, and would succeed at a better moment. */
export const isUnavailable = (error: unknown) =>
  // Other things that break in a request, a file or the client's own connection, have the same codes.
  causesOf(error).some((at) => at instanceof DrizzleQueryError) && (isAway(error) || hasGivenUp(error));

/** Drizzle wraps the driver's error in one of its own. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** Whether a failed query lost its session, at whatever point; otherwise only the query was rolled back. */
export const hasEndedSession = (error: unknown) =>
  causesOf(error).some((at) => at instanceof pg.DatabaseError && /^(FATAL|PANIC)$/.test(at.severity ?? ''));
