import { DrizzleQueryError } from 'drizzle-orm';
import { AppError } from '#shared/errors.ts';

/**
 * An error as the terminal shows it: the sentence written for the operator, and the cause on a line of its own. Never
 * includes statements or their parameters.
 */
export function forOperator(error: unknown): string {
  // Its own sentence is for people on the pages.
  const told = error instanceof AppError && error.cause !== undefined ? error.cause : error;
  const said = pastStatement(told);
  const sentence = messageOf(said);
  const cause = said instanceof Error && said.cause !== undefined ? messageOf(pastStatement(said.cause)) : '';
  return cause === '' || sentence.includes(cause) ? sentence : `${sentence}\nWhat went wrong: ${cause}`;
}

/** The message of a failed query holds the statement; what the database reported is in the cause. */
const pastStatement = (error: unknown) => (error instanceof DrizzleQueryError ? error.cause : error);

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A host with several addresses fails once for each, in an AggregateError without a message.
  const message = error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : error.message;
  return message.trim();
}
