import type { z } from 'zod';

/** The parsed body of an endpoint, as the service receives it. */
export type BodyOf<E extends { body: z.ZodType }> = z.output<E['body']>;

/**
 * Asserts that every field of a body has been used. If a contract gains a field that the service does not use,
 * this does not compile: `const { title, ...rest } = body; assertExhaustive(rest);`
 */
export const assertExhaustive = (_rest: Record<string, never>): void => undefined;
