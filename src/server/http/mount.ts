import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isListEndpoint, DEFAULT_MAX_JSON_BYTES, needsLongTimeout, type Endpoint } from '#shared/endpoint.ts';
import { AppError, createBadInputError, createNotFoundError } from '#shared/errors.ts';
import {
  EXPECTED_USER_HEADER,
  WRONG_USER_ON_READ_MESSAGE,
  WRONG_USER_ON_WRITE_MESSAGE,
} from '#shared/expected-user.ts';
import type { Clock } from '../clock.ts';
import { assertFreshIdentityProof } from '../auth/fresh-proof.ts';
import type { Caller } from '../auth/sessions.ts';
import type { Staging } from '../media/staging.ts';
import { getWidestNetwork } from '../limits/network.ts';
import type { RowPage } from '../db/page.ts';
import { getOwnerOnlyMessage } from '#shared/owner-only.ts';
import { getFieldLimits } from './field-limits.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import { matchesEtag } from './etag.ts';
import { readForm, type ParsedForm } from './form.ts';
import { createDisconnectSignal } from './disconnect-signal.ts';
import { compressBody, negotiateEncoding, MIN_COMPRESSED_BYTES } from './compression.ts';
import type { HandlerResult, Handler, Handlers, SharedHandlerResult } from './handlers.ts';
import { toValidationIssues, toErrorSentence } from './issues.ts';
import type { ResponseCache } from './response-cache.ts';
import { createPaginationHeaders } from './pagination-headers.ts';
import { readBody, acceptForms } from './read-body.ts';
import type { ListLimiter, createRequestLimiter } from './request-limiters.ts';

/**
 * Finds the user who sent a request, by the session cookie; null if nobody is signed in.
 * @param reply receives the renewed cookie. If null, the session is not extended.
 */
export type IdentifyCaller = (request: FastifyRequest, reply: FastifyReply | null) => Promise<Caller | null>;

/** Functions that run GET endpoints inside another request, for the same caller. */
export type InProcessEndpoints = Map<Endpoint, (call: InProcessCall) => Promise<unknown>>;

export type InProcessCall = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** The request inside which the endpoint runs. */
  request: FastifyRequest;
  reply: FastifyReply;
  signal: AbortSignal;
};

export type MountDeps = {
  identify: IdentifyCaller;
  staging: Staging;
  limitRequests: ReturnType<typeof createRequestLimiter>;
  /** Gives the body of this request the longer timeout of an upload. Only for signed-in users. */
  extendBodyTimeout(request: FastifyRequest): void;
  /** Limits lists and searches, so that database connections stay free for sign-in, uploads and playback. */
  limitLists: ListLimiter;
  /** Caches the bodies of shared responses. */
  responseCache: ResponseCache;
  /** Filled by `mountEndpoints`. Pages use it to embed the responses to their first requests. */
  inProcess: InProcessEndpoints;
  clock: Clock;
};

/** Timeout for identifying the caller if the endpoint also works without the database, in ms. */
const IDENTIFY_TIMEOUT_MS = 1_000;

/**
 * Mounts every endpoint of a contract. Requests are authorized and parsed before the handler runs, and its
 * result is parsed before it is sent.
 */
export function mountEndpoints<C extends Record<string, Endpoint>>(
  app: FastifyInstance,
  deps: MountDeps,
  contract: C,
  handlers: Handlers<C>,
) {
  for (const name of Object.keys(contract)) {
    // Both objects have the same keys, but in a loop, TypeScript can't tell which handler belongs to which
    // endpoint.
    const endpoint = contract[name] as Endpoint;
    const handler = handlers[name] as unknown as Handler<Endpoint>;
    const mountOn = (on: FastifyInstance) => mountEndpoint(on, deps, endpoint, handler);
    if (!endpoint.isForm) mountOn(app);
    else
      void app.register((scope, _options, done) => {
        acceptForms(scope);
        mountOn(scope);
        done();
      });
  }
}

function mountEndpoint(
  app: FastifyInstance,
  deps: MountDeps,
  endpoint: Endpoint,
  handler: Handler<Endpoint>,
) {
  const { staging } = deps;
  const fields = getFieldLimits(endpoint.body);
  const takesTurns = isListEndpoint(endpoint) && !endpoint.isShared;
  /**
   * Whether a request counts towards the user's limit of concurrent requests. A request over the limit waits
   * before its body is read, so that the body doesn't take up memory. Lists have their own limiter.
   */
  const hasSlot = !endpoint.staysOpen && !takesTurns;
  async function callerOf(request: FastifyRequest, reply: FastifyReply) {
    if (!endpoint.needsNoDatabase) return deps.identify(request, endpoint.staysOpen ? null : reply);
    return withTimeout(IDENTIFY_TIMEOUT_MS, deps.identify(request, null)).catch(() => null);
  }

  app.route({
    method: endpoint.method,
    // A HEAD request for a response that stays open would never end.
    ...(endpoint.staysOpen && { exposeHeadRoute: false }),
    config: { pattern: endpoint.path, staysOpen: endpoint.staysOpen ?? false },
    bodyLimit: endpoint.bodyBytes ?? DEFAULT_MAX_JSON_BYTES,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // Authorizes before the body is read, so that a signed-out client can't make the server accept a file.
    onRequest: async (request, reply) => {
      request.caller = await callerOf(request, reply);
      admitRequest(request.caller, request.headers[EXPECTED_USER_HEADER]);
      if (request.caller && needsLongTimeout(endpoint)) deps.extendBodyTimeout(request);
    },
    handler: async (request, reply) => {
      const signal = createDisconnectSignal(reply);
      await inSlot(request, signal, () => handleOne(request, reply, signal));
      return reply;
    },
  });

  if (endpoint.method === 'GET' && !endpoint.raw && !endpoint.pageSize)
    deps.inProcess.set(endpoint, async ({ params, query, request, reply, signal }) => {
      admitRequest(request.caller);
      const call = {
        ...{ caller: request.caller, ...parsedParts(params, query), body: undefined },
        ...{ files: undefined, bytes: undefined, signal, request, reply },
      };
      const answer = async () => {
        const given = await handler(call);
        if (!endpoint.isShared) return toResponseBody(endpoint, given);
        const { version, make } = given as unknown as SharedHandlerResult<Endpoint>;
        if (version === null) throw new Error(`${endpoint.path} has no shared answer to this query`);
        return JSON.parse((await sharedJson(sharedKey(version), make)).toString()) as unknown;
      };
      return inSlot(request, signal, () => (takesTurns ? runInTurn(request, signal, answer) : answer()));
    });

  function admitRequest(caller: Caller | null, expected?: unknown) {
    authorize(endpoint, caller, expected);
    if (caller && isProofNeeded(endpoint, caller)) assertFreshIdentityProof(caller, deps.clock());
  }

  const parsedParts = (params: unknown, query: unknown) => ({
    params: endpoint.params ? parsePath(endpoint.params, params) : undefined,
    query: endpoint.query ? parseInput(endpoint.query, query ?? {}) : undefined,
  });

  /**
   * Handles a request. Resolves when the response has been passed to Fastify, so that a client that reads
   * slowly doesn't keep a slot.
   */
  async function handleOne(request: FastifyRequest, reply: FastifyReply, signal: AbortSignal): Promise<void> {
    const parts = parsedParts(request.params, request.query);
    let form: ParsedForm | undefined;
    try {
      const bytes = await readBytes(endpoint, request);
      if (endpoint.files) form = await readForm(request, { fields, slots: endpoint.files }, staging);
      const body = endpoint.body
        ? parseInput(endpoint.body, form ? form.fields : (request.body ?? {}))
        : undefined;
      const call = {
        caller: request.caller,
        ...parts,
        body,
        files: form?.files as undefined,
        bytes: bytes as undefined,
        signal,
        request,
        reply,
      };
      const answer = async () => {
        const given = await handler(call);
        if (endpoint.isShared)
          return sendShared(request, reply, given as unknown as SharedHandlerResult<Endpoint>, signal);
        if (!endpoint.raw)
          sendResponse(
            request,
            reply,
            endpoint,
            endpoint.pageSize ? toPageResponse(request.url, given) : given,
          );
      };
      await (takesTurns ? runInTurn(request, signal, answer) : answer());
    } finally {
      await form?.discard();
    }
  }

  function inSlot<T>(request: FastifyRequest, signal: AbortSignal, task: () => Promise<T>) {
    const { caller } = request;
    return caller && hasSlot ? deps.limitRequests(endpoint, caller.id, signal, task) : task();
  }

  const runInTurn = <T>(request: FastifyRequest, signal: AbortSignal, task: () => Promise<T>) =>
    deps.limitLists(request.caller?.id ?? getWidestNetwork(request.ip), signal, task);

  async function sendShared(
    request: FastifyRequest,
    reply: FastifyReply,
    { version, make }: SharedHandlerResult<Endpoint>,
    signal: AbortSignal,
  ): Promise<void> {
    if (version === null) {
      const body = await runInTurn(request, signal, make);
      return sendResponse(request, reply, endpoint, { status: 200, body });
    }
    const key = sharedKey(version);
    if (isUnchanged(request, reply, key)) return;
    const json = () => sharedJson(key, make);
    const plain = await json();
    const encoding =
      plain.length < MIN_COMPRESSED_BYTES ? null : negotiateEncoding(request.headers['accept-encoding']);
    if (encoding) void reply.header('content-encoding', encoding);
    const body = encoding
      ? await deps.responseCache(`${key} ${encoding}`, async () =>
          compressBody(await json(), encoding, 'often'),
        )
      : plain;
    void reply.header('content-type', JSON_TYPE).send(body);
  }

  const sharedKey = (version: string) => hash('sha1', `${endpoint.path} ${version}`, 'base64url');
  const sharedJson = (key: string, make: SharedHandlerResult<Endpoint>['make']) =>
    deps.responseCache(key, async () =>
      Buffer.from(JSON.stringify(toResponseBody(endpoint, { status: 200, body: await make() }))),
    );
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Reads the body for an endpoint that accepts bytes.
 * @returns undefined for any other endpoint
 * @throws AppError 'unsupported-media' if the endpoint expects bytes but the body is JSON, or vice versa;
 * 'too-large'
 */
async function readBytes(endpoint: Endpoint, request: FastifyRequest): Promise<Buffer | undefined> {
  const stream = request.body instanceof Readable ? request.body : undefined;
  if (stream && endpoint.bytes) return readBody(request, stream, endpoint.bytes.max);
  if (!stream && !endpoint.bytes) return undefined;
  const wanted = endpoint.bytes ? 'bytes (application/octet-stream)' : 'JSON';
  throw new AppError('unsupported-media', `Please send ${wanted}.`);
}

/**
 * Checks the caller's access.
 * @param expected id of the user to whom the calling page belongs; undefined if another client calls
 * @throws AppError 'unauthorized', 'other-user' or 'forbidden', checked in this order
 */
function authorize({ access, method, isForOwnerOnly }: Endpoint, caller: Caller | null, expected: unknown) {
  if (access === 'public') return;
  if (!caller) throw new AppError('unauthorized', 'Unauthorized');
  if (expected !== undefined && expected !== caller.id)
    throw new AppError(
      'other-user',
      method === 'GET' ? WRONG_USER_ON_READ_MESSAGE : WRONG_USER_ON_WRITE_MESSAGE,
    );
  if (access !== 'signed-in' && access !== caller.role) throw new AppError('forbidden', 'Forbidden');
  if (isForOwnerOnly && caller.codeShownBy !== null)
    throw new AppError('forbidden', getOwnerOnlyMessage(caller.codeShownBy));
}

const isProofNeeded = ({ needsFreshProof }: Endpoint, { role }: Caller) =>
  needsFreshProof === 'signed-in' || needsFreshProof === role;

/** Returns the response body. Fields that the contract doesn't name are removed. */
export function toResponseBody(endpoint: Endpoint, answer: { status: number; body: unknown }): unknown {
  const schema = endpoint.answers[answer.status as 200];
  if (!schema) throw new Error(`${endpoint.method} ${endpoint.path} does not answer ${answer.status}`);
  return schema.parse(answer.body);
}

/** Converts a page of a list to a response: the rows become the body, and everything else becomes headers. */
function toPageResponse(url: string, given: unknown): HandlerResult<Endpoint> {
  const { status, page } = given as { status: 200; page: RowPage<unknown> };
  return { status, body: page.rows as never, headers: createPaginationHeaders(url, page) };
}

function sendResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  answer: HandlerResult<Endpoint>,
) {
  const { status, headers } = answer as { status: number; headers?: Record<string, string> };
  const json = JSON.stringify(toResponseBody(endpoint, answer));
  void reply.code(status).headers({ 'cache-control': 'no-store', ...headers });
  if (endpoint.method === 'GET') {
    const content = headers ? json + JSON.stringify(headers) : json;
    if (isUnchanged(request, reply, hash('sha1', content, 'base64url'))) return;
  }
  void reply.header('content-type', JSON_TYPE).send(json);
}

/**
 * Sets the version's headers. If the client already has this version, also sends 304 and returns true.
 * Browsers don't cache these responses (no-store): our pages send the version that they have in memory.
 */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, version: string): boolean {
  const etag = `W/"${version}"`;
  void reply.headers({ 'cache-control': 'no-store', etag, vary: 'Cookie, Accept-Encoding' });
  if (!matchesEtag(request.headers['if-none-match'], etag)) return false;
  void reply.code(304).send();
  return true;
}

function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = toValidationIssues(parsed.error);
  throw createBadInputError(toErrorSentence(issues), issues);
}

/**
 * Parses the parameters of a path.
 * @throws AppError 'not-found' if one is invalid
 */
function parsePath<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw createNotFoundError();
  return parsed.data;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}
