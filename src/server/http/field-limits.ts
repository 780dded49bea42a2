import { z } from 'zod';

/**
 * Maximum bytes per character. In UTF-8, a UTF-16 code unit takes up to three bytes. A line break takes two,
 * because forms send it as CRLF.
 */
const MAX_BYTES_PER_CHARACTER = 3;

/** Maximum length of fields for which the contract sets no limit: an id, a time, an enum. */
const DEFAULT_MAX_LENGTH = 100;

export type FieldLimit = { characters: number; bytes: number };

/** Returns the maximum lengths of a form's text fields, as set by its contract. */
export function getFieldLimits(body: z.ZodObject | undefined): ReadonlyMap<string, FieldLimit> {
  return new Map(
    Object.entries(body?.shape ?? {}).map(([name, field]) => {
      const { maxLength } = z.toJSONSchema(field as z.ZodType, { io: 'input', unrepresentable: 'any' });
      const characters = maxLength ?? DEFAULT_MAX_LENGTH;
      return [name, { characters, bytes: characters * MAX_BYTES_PER_CHARACTER }];
    }),
  );
}
