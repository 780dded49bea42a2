import type { z } from 'zod';
import type { Issue } from '#shared/errors.ts';

/** Converts validation errors to issues for the response. */
export const issuesOf = (error: z.ZodError): Issue[] =>
  error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));

/** Turns the first issue into a sentence for the user. */
export function sentenceOf([first]: Issue[]): string {
  if (!first?.path) return 'The request could not be read.';
  const { path, message } = first;
  // Our own messages are full sentences. Zod's need the field's name.
  return /[.!]$/.test(message) || /is required$/.test(message) ? message : `${path}: ${message}`;
}
