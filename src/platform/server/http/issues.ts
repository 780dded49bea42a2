import type { z } from 'zod';
import type { Issue } from '../../contract/errors.ts';

/** What a schema found wrong, as it is answered. */
export const issuesOf = (error: z.ZodError): Issue[] =>
  error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));

/** The first of the issues as a sentence for a person. */
export function sentenceOf([first]: Issue[]): string {
  if (!first?.path) return 'The request could not be read.';
  const { path, message } = first;
  // Our own messages are sentences already; zod's name the field that they speak of.
  return /[.!]$/.test(message) || /is required$/.test(message) ? message : `${path}: ${message}`;
}
