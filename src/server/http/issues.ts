import type { z } from 'zod';
import type { Issue } from '#shared/errors.ts';

/** Validation issues as they are sent. */
export const issuesOf = (error: z.ZodError): Issue[] =>
  error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));

/** The first issue as a sentence for a person. */
export function sentenceOf([first]: Issue[]): string {
  if (!first?.path) return 'The request could not be read.';
  const { path, message } = first;
  // Our own messages are full sentences; zod's need the name of the field.
  return /[.!]$/.test(message) || /is required$/.test(message) ? message : `${path}: ${message}`;
}
