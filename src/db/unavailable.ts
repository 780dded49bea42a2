import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';

/** No socket yet or any more, nobody behind it, no way there; a code of the system's that is about a connection. */
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

/** The driver's own words; they come without a code. */
const DRIVER =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** Classes and codes of PostgreSQL: the connection, the server ends or starts, no connection is free. */
const AWAY = /^(08|57P|25P03|53300)/;

/** A statement that was cancelled, by its limit or by us; a lock that was not to be had. */
const GAVE_UP = new Set(['57014', '55P03']);

/** Whether the database was not there to do the work, or left in the middle of it. */
export function isAway(error: unknown): boolean {
  return causesOf(error).some((at) => {
    if (at instanceof pg.DatabaseError) return AWAY.test(at.code ?? '');
    const { code, syscall } = at as NodeJS.ErrnoException;
    // A file can be missing too; a socket is connected to.
    return NETWORK.has(code ?? '') || syscall === 'connect' || DRIVER.test(at.message);
  });
}

/** Whether a statement came to its limit and was given up. */
export const hasGivenUp = (error: unknown) =>
  causesOf(error).some((at) => at instanceof pg.DatabaseError && GAVE_UP.has(at.code ?? ''));

/** Whether a query failed because of the state that the database is in, and would succeed in a better moment. */
export const isUnavailable = (error: unknown) =>
  // What else breaks in a request, a file or the caller's own connection, has the same codes.
  causesOf(error).some((at) => at instanceof DrizzleQueryError) && (isAway(error) || hasGivenUp(error));

/** Drizzle puts the driver's error into one of its own. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** Whether a failed query took its session along, at whatever point that was; else it was undone alone. */
export const hasEndedSession = (error: unknown) =>
  causesOf(error).some((at) => at instanceof pg.DatabaseError && /^(FATAL|PANIC)$/.test(at.severity ?? ''));
