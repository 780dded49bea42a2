import { DrizzleQueryError } from 'drizzle-orm';
import pino, { type DestinationStream, type Logger } from 'pino';
import { getRequestId } from './http/request-id.ts';

export type Log = Pick<Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/**
 * Opens a log of JSON lines on stderr, so that stdout contains only what `npm start` prints for people. The log
 * never contains a body, a cookie or a query string. Lines logged during a request contain its id.
 */
export function openLog(level: string, to: DestinationStream = createStderr()): Logger {
  return pino(
    {
      level,
      base: null,
      mixin: getRequestIdField,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: describeErrorForLog },
    },
    to,
  );
}

function getRequestIdField(): { id?: string } {
  const id = getRequestId();
  return id === null ? {} : { id };
}

const createStderr = () => pino.destination({ dest: 2, sync: true });

/**
 * Describes an error for the log. The message and stack of a failed query contain its parameters, including
 * password hashes, so only the SQL statement and the database's own error are included.
 */
export function describeErrorForLog(error: unknown): {
  message: string;
  stack?: string | undefined;
  cause?: unknown;
} {
  if (!(error instanceof Error)) return { message: String(error) };
  const cause = error.cause === undefined ? {} : { cause: describeErrorForLog(error.cause) };
  if (error instanceof DrizzleQueryError) return { message: `Failed query: ${error.query}`, ...cause };
  const code = 'code' in error ? { code: error.code } : {};
  return { message: error.message, stack: error.stack, ...code, ...cause };
}
