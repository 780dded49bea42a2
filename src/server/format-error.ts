import { DrizzleQueryError } from 'drizzle-orm';
import { AppError } from '#shared/errors.ts';

/**
 * Formats an error for the terminal: the sentence written for the operator, then the cause on a separate line.
 * Never includes SQL statements or their parameters.
 */
export function formatErrorForOperator(error: unknown): string {
  // The message of an AppError is for users, so its cause is shown instead.
  const logged = error instanceof AppError && error.cause !== undefined ? error.cause : error;
  const said = withoutStatement(logged);
  const sentence = getMessage(said);
  const cause =
    said instanceof Error && said.cause !== undefined ? getMessage(withoutStatement(said.cause)) : '';
  return cause === '' || sentence.includes(cause) ? sentence : `${sentence}\nWhat went wrong: ${cause}`;
}

/**
 * Replaces the error of a failed query by its cause, because the error's message contains the SQL statement.
 * The cause is the database's own error.
 */
const withoutStatement = (error: unknown) => (error instanceof DrizzleQueryError ? error.cause : error);

function getMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // If a host has several IP addresses, a failed connection throws an AggregateError without a message, with
  // one error per address.
  const message = error instanceof AggregateError ? error.errors.map(getMessage).join('; ') : error.message;
  return message.trim();
}
