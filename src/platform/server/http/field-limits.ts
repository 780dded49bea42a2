import { z } from 'zod';

/** UTF-8 takes at most three bytes for each of JavaScript's characters, and two for a line end as forms send it. */
const CHARACTER_BYTES = 3;

/** For what has no length of its own: an id, a moment, one of a few words. */
const SHORT = 100;

export type FieldLimit = { characters: number; bytes: number };

/** The text fields of a form and how long each may be, as its contract says. */
export function fieldLimits(body: z.ZodObject | undefined): ReadonlyMap<string, FieldLimit> {
  return new Map(
    Object.entries(body?.shape ?? {}).map(([name, field]) => {
      const { maxLength } = z.toJSONSchema(field as z.ZodType, { io: 'input', unrepresentable: 'any' });
      const characters = maxLength ?? SHORT;
      return [name, { characters, bytes: characters * CHARACTER_BYTES }];
    }),
  );
}
