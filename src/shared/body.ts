import type { z } from 'zod';

/** The body of an endpoint as its service gets it. */
export type BodyOf<E extends { body: z.ZodType }> = z.output<E['body']>;

/**
 * Takes the rest of a body of which each field has been named. A field that a contract gains and its service forgets
 * does not compile: `const { title, ...rest } = body; nothingLeft(rest);`
 */
export const nothingLeft = (_rest: Record<string, never>): void => undefined;
