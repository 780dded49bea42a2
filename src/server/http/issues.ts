import type { z } from 'zod';
import type { ValidationIssue } from '#shared/errors.ts';
import { INVALID_INPUT_MESSAGE } from '#shared/validation-messages.ts';

/** Converts validation errors to issues for the response. */
export const toValidationIssues = (error: z.ZodError): ValidationIssue[] =>
  error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));

/**
 * Returns the first issue's message if it is a sentence for the user. Messages for programmers are replaced by
 * a general sentence.
 */
export function toErrorSentence([first]: ValidationIssue[]): string {
  const message = first?.message ?? '';
  return /^[A-Z].*(?:[.!]|is required)$/.test(message) ? message : INVALID_INPUT_MESSAGE;
}
