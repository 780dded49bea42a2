import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

export type ComponentSchemas = ReturnType<typeof createComponentSchemas>;

/**
 * Creates a collection of JSON schemas, generated from Zod, for one document. A schema with an `id` in its
 * metadata is defined once and referenced wherever it is used.
 */
export function createComponentSchemas() {
  const components: Record<string, JsonObject> = {};

  /** @throws Error if another schema has this name */
  function named(name: string, schema: JsonObject): JsonObject {
    if (components[name] && !isDeepStrictEqual(components[name], schema))
      throw new Error(`Two schemas of the API are called ${name}.`);
    components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  return {
    named,

    toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
      const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify });
      const {
        $schema: _,
        $defs = {},
        ...rest
      } = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonObject;
      for (const [name, part] of Object.entries($defs as Record<string, JsonObject>)) named(name, part);
      return rest;
    },

    /** Returns the named schemas in alphabetical order. */
    all: (): JsonObject =>
      Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Removes keywords that add no information, or that promise more than the API guarantees. */
function simplify({ jsonSchema }: { jsonSchema: JsonObject }) {
  // Doesn't exclude additional fields, because a response may get more fields later.
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  // Zod emits the fallback of `.catch()` as `default`. OpenAPI would read it as the value of a missing field.
  delete jsonSchema['default'];
  // Removes patterns that only repeat a format. An email's pattern stays, because the format allows more than
  // we accept.
  if (jsonSchema['format'] !== undefined && jsonSchema['format'] !== 'email') delete jsonSchema['pattern'];
}
