import { z } from 'zod';
import {
  isUploadEndpoint,
  type EndpointAccess,
  type EndpointsByFeature,
  type Endpoint,
} from '#shared/endpoint.ts';
import { EXPECTED_USER_HEADER } from '#shared/expected-user.ts';
import { IDENTITY_PROOF_ISSUE_PATH } from '#shared/identity-proof.ts';
import { TOTAL_COUNT_HEADER } from '#shared/paging.ts';
import { createComponentSchemas, type ComponentSchemas, type JsonObject } from './open-api-schemas.ts';

const accessDescriptions: Record<EndpointAccess, string> = {
  public: 'Anyone may call it.',
  'signed-in': 'For anyone who is signed in.',
  student: 'For students; refused to admins.',
  admin: 'For admins.',
};

const DESCRIPTION = `Sign in with \`POST /api/login\` and send the cookie that it sets along with every call.

Times are ISO 8601 in UTC. A refusal has a sentence for a person in \`message\`. Every answer has an \`X-Request-Id\`, which the server's log has too.

Unbounded lists are returned in pages: \`Link\` contains the URL of the next page, \`X-Total-Count\` the number of all rows. Fields may be added to responses at any time.`;

/**
 * Generates an OpenAPI 3.1 document from the contracts. Operations are named after feature and endpoint
 * (`recordingsSubmit`), schemas after the `id` in their metadata.
 */
export function generateOpenApi(
  about: { title: string; version: string; sessionCookie: string },
  features: EndpointsByFeature,
): JsonObject {
  const { title, version, sessionCookie } = about;
  const schemas = createComponentSchemas();
  const error = schemas.toJsonSchema(errorBody, 'output');
  const paths: Record<string, JsonObject> = {};
  for (const [feature, endpoints] of Object.entries(features)) {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const id = feature + capitalize(name);
      const described = { operationId: id, tags: [feature], ...createOperation(id, endpoint, schemas) };
      (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = described;
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    // Relative to the document's URL, because one server may be reachable under several domains.
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: sessionCookie } },
      parameters: { ExpectedUser: EXPECTED_USER_PARAMETER },
      headers: { RetryAfter: RETRY_AFTER_HEADER },
      responses: Object.fromEntries(
        Object.entries(COMMON_ERRORS).map(([name, description]) => [
          name,
          createErrorResponse(name, description, error),
        ]),
      ),
      schemas: schemas.all(),
    },
  };
}

const errorBody = z
  .object({
    message: z.string().describe('For a person to read.'),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('What is wrong with which field.'),
  })
  .meta({
    id: 'Error',
    examples: [{ message: 'Title is required', issues: [{ path: 'title', message: 'Title is required' }] }],
  });

/** Error responses that many endpoints share. */
const COMMON_ERRORS = {
  BadInput: 'Bad input',
  NotSignedIn: 'Not signed in',
  NotForThisRole: 'Not for this role',
  BodyTooSlow: 'The body did not come in time',
  OtherUser: 'Another user is signed in',
  BodyTooLarge: 'The body is too large',
  UploadsInFlight: 'Other uploads of the caller are in flight',
  DiskNearlyFull: 'The disk is nearly full',
  Refused: 'Refused for another reason, which `message` says',
  Failed: 'The server could not answer; with 503, try again later',
};

/** Error responses with a Retry-After header. */
const ERRORS_WITH_RETRY_AFTER = ['UploadsInFlight', 'DiskNearlyFull', 'Failed'];

const createErrorResponse = (name: string, description: string, error: JsonObject): JsonObject => ({
  description,
  ...(ERRORS_WITH_RETRY_AFTER.includes(name) && {
    headers: { 'retry-after': { $ref: '#/components/headers/RetryAfter' } },
  }),
  content: { 'application/json': { schema: error } },
});

const RETRY_AFTER_HEADER: JsonObject = { description: 'Seconds', schema: { type: 'integer' } };

const EXPECTED_USER_PARAMETER: JsonObject = {
  name: EXPECTED_USER_HEADER,
  in: 'header',
  required: false,
  description: 'The id of the user in whose name the call is made; refused when another is signed in.',
  schema: { type: 'string' },
};

const describeProof = ({ needsFreshProof }: Endpoint) =>
  needsFreshProof &&
  `${needsFreshProof === 'admin' ? 'An admin' : 'The caller'} must have given a password or a passkey in this session within five minutes (\`POST /api/user/proof\`); otherwise 403 with an issue about \`${IDENTITY_PROOF_ISSUE_PATH}\`.`;

function createOperation(id: string, endpoint: Endpoint, schemas: ComponentSchemas): JsonObject {
  const isOpen = endpoint.access === 'public';
  return {
    summary: endpoint.summary,
    description: [accessDescriptions[endpoint.access], describeProof(endpoint)].filter(Boolean).join(' '),
    security: isOpen ? [] : [{ session: [] }],
    parameters: [
      ...createParameters(endpoint.params, 'path', schemas),
      ...createParameters(endpoint.query, 'query', schemas),
      ...(isOpen ? [] : [{ $ref: '#/components/parameters/ExpectedUser' }]),
    ],
    ...(endpoint.body && { requestBody: createRequestBody(id, endpoint, endpoint.body, schemas) }),
    ...(endpoint.bytes && { requestBody: createRawBody(endpoint.bytes.max) }),
    responses: {
      ...createSuccessResponses(id, endpoint, schemas),
      ...createErrorResponses(endpoint, schemas),
    },
  };
}

function createParameters(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  schemas: ComponentSchemas,
): JsonObject[] {
  if (!schema) return [];
  return Object.entries(schema.shape).map(([name, part]) => {
    const { description, ...rest } = schemas.toJsonSchema(part as z.ZodType, 'input');
    return {
      name,
      in: place,
      required: place === 'path' || !(part as z.ZodType).safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

function createRequestBody(
  id: string,
  endpoint: Endpoint,
  body: z.ZodObject,
  schemas: ComponentSchemas,
): JsonObject {
  const { files, isForm } = endpoint;
  const type = files
    ? 'multipart/form-data'
    : isForm
      ? 'application/x-www-form-urlencoded'
      : 'application/json';
  const fileFields = Object.fromEntries(
    Object.entries(files ?? {}).map(([name, slot]) => [
      name,
      { type: 'string', format: 'binary', description: `${slot.media}, under ${slot.tooLargeFrom} bytes` },
    ]),
  );
  const { properties, ...schema } = schemas.toJsonSchema(body, 'input');
  const whole = { ...schema, properties: { ...(properties as JsonObject), ...fileFields } };
  return { required: true, content: { [type]: { schema: schemas.named(`${capitalize(id)}Body`, whole) } } };
}

function createRawBody(max: number): JsonObject {
  const schema = { type: 'string', format: 'binary', description: `at most ${max} bytes` };
  return { required: true, content: { 'application/octet-stream': { schema } } };
}

function createSuccessResponses(
  id: string,
  { raw, answers, pageSize, method }: Endpoint,
  schemas: ComponentSchemas,
): JsonObject {
  if (raw) {
    return mapValues(raw, ({ description, types = [] }) => ({
      description,
      ...(types.length > 0 && { content: Object.fromEntries(types.map((type) => [type, {}])) }),
    }));
  }
  const described = mapValues(answers, (schema, status) => ({
    description: status === '201' ? 'Made' : 'Done',
    ...(pageSize && { headers: createPageHeaders(pageSize) }),
    content: { 'application/json': { schema: createResponseSchema(id, schema, schemas) } },
  }));
  return method === 'GET' ? { ...described, 304: { description: UNCHANGED } } : described;
}

/** Returns the schema of a response. An object without a name is named after its operation. */
function createResponseSchema(id: string, schema: z.ZodType, schemas: ComponentSchemas): JsonObject {
  const made = schemas.toJsonSchema(schema, 'output');
  return made['type'] === 'object' ? schemas.named(`${capitalize(id)}Answer`, made) : made;
}

const UNCHANGED = 'Nothing has changed since the version whose `ETag` was sent as `If-None-Match`';

const createPageHeaders = (size: number): JsonObject => ({
  [TOTAL_COUNT_HEADER]: { description: 'How many rows the whole list has', schema: { type: 'integer' } },
  link: {
    description: `The next page, if there are more than these, at most ${size}: \`<…>; rel="next"\``,
    schema: { type: 'string' },
  },
});

function createErrorResponses(endpoint: Endpoint, schemas: ComponentSchemas): JsonObject {
  const { access, body } = endpoint;
  const ofMany: Record<string, keyof typeof COMMON_ERRORS> = {
    ...((body ?? endpoint.query) && { 400: 'BadInput' }),
    ...(access !== 'public' && { 401: 'NotSignedIn', 412: 'OtherUser' }),
    ...(body && { 408: 'BodyTooSlow', 413: 'BodyTooLarge' }),
    ...(isUploadEndpoint(endpoint) && { 429: 'UploadsInFlight' }),
    ...((access === 'admin' || access === 'student') && { 403: 'NotForThisRole' }),
    ...((endpoint.files ?? endpoint.bytes) && { 507: 'DiskNearlyFull' }),
    '4XX': 'Refused',
    '5XX': 'Failed',
  };
  const error = schemas.toJsonSchema(errorBody, 'output');
  return {
    ...mapValues(ofMany, (name) => ({ $ref: `#/components/responses/${name}` })),
    ...mapValues(endpoint.refusals ?? {}, (description) => createErrorResponse('', description, error)),
  };
}

function mapValues<T>(from: Record<string, T>, to: (value: T, key: string) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, to(value, key)]));
}

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
