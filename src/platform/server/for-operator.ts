import { DrizzleQueryError } from 'drizzle-orm';

/**
 * What went wrong, for whoever sits at the terminal: the sentence that was written for them, and in a line of its own
 * what was behind it. Statements and their parameters are never in it.
 */
export function forOperator(error: unknown): string {
  const said = pastStatement(error);
  const sentence = messageOf(said);
  const cause = said instanceof Error && said.cause !== undefined ? messageOf(pastStatement(said.cause)) : '';
  return cause === '' || sentence.includes(cause) ? sentence : `${sentence}\nWhat went wrong: ${cause}`;
}

/** A failed query's own words hold what was asked; what the database said of it is the cause. */
const pastStatement = (error: unknown) => (error instanceof DrizzleQueryError ? error.cause : error);

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A name that has several addresses fails once for each, and says nothing itself.
  const message = error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : error.message;
  return message.trim();
}
