import { z } from 'zod';

/**
 * Maximum bytes per character: UTF-8 takes up to three per UTF-16 code unit, and forms send two for a line break.
 */
const MAX_BYTES_PER_CHARACTER = 3;

/** Maximum length of fields without a limit of their own: an id, a time, an enum. */
const DEFAULT_MAX_LENGTH = 100;

export type FieldLimit = { characters: number; bytes: number };

/** Returns the text fields of a form and their maximum lengths, by its contract. */
export function getFieldLimits(body: z.ZodObject | undefined): ReadonlyMap<string, FieldLimit> {
  return new Map(
    Object.entries(body?.shape ?? {}).map(([name, field]) => {
      const { maxLength } = z.toJSONSchema(field as z.ZodType, { io: 'input', unrepresentable: 'any' });
      const characters = maxLength ?? DEFAULT_MAX_LENGTH;
      return [name, { characters, bytes: characters * MAX_BYTES_PER_CHARACTER }];
    }),
  );
}
