import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type Json = Record<string, unknown>;

export type ComponentSchemas = ReturnType<typeof componentSchemas>;

/**
 * JSON schemas of Zod's for one document: what has an `id` in its metadata is written once, and referred to elsewhere.
 */
export function componentSchemas() {
  const components: Record<string, Json> = {};

  /** @throws Error if the name is that of something else */
  function named(name: string, schema: Json): Json {
    if (components[name] && !isDeepStrictEqual(components[name], schema))
      throw new Error(`Two schemas of the API are called ${name}.`);
    components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  return {
    named,

    of(schema: z.ZodType, io: 'input' | 'output'): Json {
      const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify });
      const {
        $schema: _,
        $defs = {},
        ...rest
      } = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
      for (const [name, part] of Object.entries($defs as Record<string, Json>)) named(name, part);
      return rest;
    },

    /** Those that were named, in the order of the alphabet. */
    all: (): Json => Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Takes away what says nothing, or promises too much. */
function simplify({ jsonSchema }: { jsonSchema: Json }) {
  // An answer may have more fields one day.
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  // What an invalid value is read as.
  delete jsonSchema['default'];
  // The format of an email allows more than we take; others say it all.
  if (jsonSchema['format'] !== undefined && jsonSchema['format'] !== 'email') delete jsonSchema['pattern'];
}
