import { DrizzleQueryError } from 'drizzle-orm';
import { AppError } from '#shared/errors.ts';

/**
 * Formats an error for the terminal: the sentence written for the operator, then the cause on a line of its own.
 * Never includes statements or their parameters.
 */
export function formatErrorForOperator(error: unknown): string {
  // An AppError's own message is for users, so its cause is shown instead.
  const told = error instanceof AppError && error.cause !== undefined ? error.cause : error;
  const said = withoutStatement(told);
  const sentence = getMessage(said);
  const cause =
    said instanceof Error && said.cause !== undefined ? getMessage(withoutStatement(said.cause)) : '';
  return cause === '' || sentence.includes(cause) ? sentence : `${sentence}\nWhat went wrong: ${cause}`;
}

/**
 * Replaces a failed query's error by its cause: its message contains the statement, and the cause is what the
 * database reported.
 */
const withoutStatement = (error: unknown) => (error instanceof DrizzleQueryError ? error.cause : error);

function getMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A host with several addresses fails once for each, in an AggregateError without a message.
  const message = error instanceof AggregateError ? error.errors.map(getMessage).join('; ') : error.message;
  return message.trim();
}
