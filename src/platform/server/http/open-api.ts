import { z } from 'zod';
import { isUpload, type Access, type Endpoint } from '../../contract/endpoint.ts';
import { EXPECTED_USER_HEADER } from '../../contract/expected-user.ts';
import { TOTAL_HEADER } from '../../contract/paging.ts';

const accessSays: Record<Access, string> = {
  public: 'Anyone may call it.',
  'signed-in': 'For anyone who is signed in.',
  student: 'For students; refused to admins.',
  admin: 'For admins.',
};

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the endpoints, generated from the validating schemas. */
export function openApiOf(title: string, endpoints: Endpoint[]): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
      schemas: { Error: schemaOf(errorBody, 'output') },
    },
  };
}

const errorBody = z.object({
  message: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

const NO_ROOM = 'The disk is nearly full; with `Retry-After`';

function operation(endpoint: Endpoint): Json {
  return {
    summary: endpoint.summary,
    description: accessSays[endpoint.access],
    security: endpoint.access === 'public' ? [] : [{ session: [] }],
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(endpoint.access === 'public' ? [] : [expectedUser]),
    ],
    ...(endpoint.body && { requestBody: requestBody(endpoint, endpoint.body) }),
    ...(endpoint.bytes && { requestBody: rawBody(endpoint.bytes.max) }),
    responses: { ...successes(endpoint), ...refusals(endpoint) },
  };
}

const expectedUser: Json = {
  name: EXPECTED_USER_HEADER,
  in: 'header',
  required: false,
  description: 'The id of the user in whose name the call is made; refused when another is signed in.',
  schema: { type: 'string' },
};

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  return Object.entries(schema.shape).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path' || !(part as z.ZodType).safeParse(undefined).success,
    schema: schemaOf(part as z.ZodType, 'input'),
  }));
}

function requestBody(endpoint: Endpoint, body: z.ZodObject): Json {
  const schema = schemaOf(body, 'input');
  if (!endpoint.files) return { required: true, content: { 'application/json': { schema } } };
  const files = Object.fromEntries(
    Object.entries(endpoint.files).map(([name, slot]) => [
      name,
      { type: 'string', format: 'binary', description: `${slot.media}, under ${slot.tooLargeFrom} bytes` },
    ]),
  );
  const properties = { ...(schema.properties as Json), ...files };
  return { required: true, content: { 'multipart/form-data': { schema: { ...schema, properties } } } };
}

function rawBody(max: number): Json {
  const schema = { type: 'string', format: 'binary', description: `at most ${max} bytes` };
  return { required: true, content: { 'application/octet-stream': { schema } } };
}

function successes(endpoint: Endpoint): Json {
  if (endpoint.raw) return { default: { description: endpoint.raw } };
  const answers = Object.fromEntries(
    Object.entries(endpoint.answers).map(([status, schema]) => [
      status,
      {
        description: status === '201' ? 'Made' : 'Done',
        ...(endpoint.pageSize && { headers: headersOfPage(endpoint.pageSize) }),
        content: { 'application/json': { schema: schemaOf(schema, 'output') } },
      },
    ]),
  );
  return endpoint.method === 'GET' ? { ...answers, 304: { description: UNCHANGED } } : answers;
}

const UNCHANGED = 'Nothing has changed since the version whose `ETag` was sent as `If-None-Match`';

const headersOfPage = (size: number): Json => ({
  [TOTAL_HEADER]: { description: 'How many rows the whole list has', schema: { type: 'integer' } },
  link: {
    description: `The next page, if there are more than these, at most ${size}: \`<…>; rel="next"\``,
    schema: { type: 'string' },
  },
});

function refusals(endpoint: Endpoint): Json {
  const all: Record<number, string> = {
    ...((endpoint.body ?? endpoint.query) && { 400: 'Bad input' }),
    ...(endpoint.access !== 'public' && { 401: 'Not signed in', 412: 'Another user is signed in' }),
    ...(endpoint.body && { 408: 'The body did not come in time', 413: 'The body is too large' }),
    ...(isUpload(endpoint) && { 429: 'Other uploads of the caller are in flight' }),
    ...((endpoint.access === 'admin' || endpoint.access === 'student') && { 403: 'Not for this role' }),
    ...((endpoint.files ?? endpoint.bytes) && { 507: NO_ROOM }),
    ...endpoint.refusals,
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    Object.entries(all).map(([status, description]) => [status, { description, content }]),
  );
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return rest;
}
