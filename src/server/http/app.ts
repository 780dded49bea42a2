import type { Socket } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { isTransientDatabaseFailure } from '../db/database-errors.ts';
import { DEFAULT_MAX_JSON_BYTES } from '#shared/endpoint.ts';
import { AppError, HTTP_STATUS_BY_ERROR_CODE, type ErrorBody } from '#shared/errors.ts';
import type { Log } from '../log.ts';
import { enforceBodyTimeout } from './body-timeout.ts';
import { compressTextResponses } from './compression.ts';
import { limitConnections } from './connections.ts';
import type { HttpLimits } from './limits.ts';
import type { RequestMetrics } from '../metrics/requests.ts';
import { getNarrowestNetwork } from '../limits/network.ts';
import type { OriginCheck } from './origin.ts';
import { acceptJson } from './read-body.ts';
import { createRejectionSampler } from './rejection-sampler.ts';
import { createRequestId, REQUEST_ID_HEADER, createRequestIdGenerator, addRequestIds } from './request-id.ts';
import { isOutOfSpaceError, createStorageFullError } from '../media/disk-space.ts';

/**
 * Permissions policy. Allows our own pages, but not frames of other origins, to use the features listed first.
 * Turns off all other features that could reveal anything about a person.
 */
const PERMISSIONS = [
  ...['microphone', 'screen-wake-lock', 'autoplay', 'clipboard-write'].map((own) => `${own}=(self)`),
  ...[
    ...['accelerometer', 'camera', 'clipboard-read', 'display-capture', 'encrypted-media'],
    ...['fullscreen', 'geolocation', 'gyroscope', 'hid', 'idle-detection', 'local-fonts', 'magnetometer'],
    ...['midi', 'payment', 'picture-in-picture', 'serial', 'usb', 'window-management', 'xr-spatial-tracking'],
  ].map((other) => `${other}=()`),
].join(', ');

const SERVER_UNAVAILABLE =
  'The server isn’t available right now. Nothing you typed or sang is lost. Please try again in a moment.';

/**
 * Headers of every error response. They include the content type, because a stream that fails before its first
 * byte has already set another.
 */
const ERROR_HEADERS = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' };

/**
 * Returns a raw response to a request that can't be parsed or arrives too slowly. Fastify never receives such
 * a request, so it can't respond.
 */
const createRawResponse = (status: string, message: string, id: string) => {
  const body = JSON.stringify({ message });
  return [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    'x-content-type-options: nosniff',
    `${REQUEST_ID_HEADER}: ${id}`,
    'connection: close',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
};
const createUnreadableResponse = (id: string) =>
  createRawResponse(
    '400 Bad Request',
    'Something went wrong with this request. Please reload the page and try again.',
    id,
  );
const createTimeoutResponse = (id: string) =>
  createRawResponse('408 Request Timeout', 'Sending this took too long. Please try again.', id);

/** Interval for logging how many rejected requests from each network were left out of the log. */
const REJECTION_LOG_INTERVAL_MS = 60_000;

/**
 * Idle timeout of connections. Longer than that of proxies (nginx: 60 s), so that they never reuse a closed
 * connection.
 */
const KEEP_ALIVE_MS = 72_000;

/**
 * Creates the web server with everything that applies to every request, but without routes. Also returns the
 * function that extends the body timeout of an upload.
 */
export async function createApp(options: {
  log: Log;
  trustProxy: number;
  https: boolean;
  /** Whether browsers must also use https on all subdomains. */
  hstsSubdomains: boolean;
  origins: OriginCheck;
  limits: HttpLimits;
  /** Request counters; null if metrics are off. */
  counts: RequestMetrics | null;
}): Promise<{ app: FastifyInstance; extendBodyTimeout: (request: FastifyRequest) => void }> {
  const { log, limits } = options;
  const securityHeaders = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    // Makes a response harmless if a browser opens it as a page. Our own pages replace this policy with theirs.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    // Sends these two headers only with https, because browsers ignore them otherwise.
    ...(options.https && {
      'strict-transport-security': `max-age=31536000${options.hstsSubdomains ? '; includeSubDomains' : ''}`,
      'cross-origin-opener-policy': 'same-origin',
    }),
  };
  const app = fastify({
    logger: false,
    trustProxy: (_address, hop) => hop < options.trustProxy,
    bodyLimit: DEFAULT_MAX_JSON_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: limits.uploadMs,
    http: {
      headersTimeout: limits.headersMs,
      // Interval at which Node checks `headersTimeout` and `requestTimeout`.
      connectionsCheckingInterval: Math.ceil(limits.headersMs / 3),
    },
    // Finishes requests in flight, then closes. Idle keep-alive connections don't hold up the shutdown.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    genReqId: createRequestIdGenerator(options.trustProxy),
    // A malformed URL gets our own 404, because the router's response would look different.
    frameworkErrors: (_error, request, reply) => {
      const answer = reply as unknown as FastifyReply;
      void answer
        .code(404)
        // Closes the connection, because the hooks that limit a request body have not run.
        .headers({
          ...securityHeaders,
          [REQUEST_ID_HEADER]: request.id,
          'cache-control': 'no-store',
          connection: 'close',
        })
        .send({ message: 'Not found' });
    },
    clientErrorHandler: ({ code }, socket) => {
      const isSlow = code === 'ERR_HTTP_REQUEST_TIMEOUT';
      // True if the client waits for a response. Any other client would take this error for the response to its
      // next request.
      const isAsked = socket.bytesRead > 0 && socket.bytesWritten === 0;
      if (!socket.writable || (isSlow && !isAsked)) return void socket.destroy();
      const id = createRequestId();
      log.debug({ id, code }, 'a request could not be read');
      socket.end(isSlow ? createTimeoutResponse(id) : createUnreadableResponse(id));
    },
  });
  if (options.trustProxy === 0) limitConnections(app.server, limits);
  closeConnectionsWhenIdle(app);
  addRequestIds(app);
  // Registered before anything that may reject a request, so that rejected requests are counted too.
  options.counts?.count(app);
  app.decorateRequest('caller', null);
  acceptJson(app);
  // Accepts chunks of files. Each endpoint for them declares its limit and reads the stream itself.
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
  await app.register(fastifyCookie);
  await app.register(fastifyMultipart);
  compressTextResponses(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders);
    if (!request.routeOptions.config.changesNothing) options.origins.refuseForeign(request);
    if (!['identity', undefined].includes(request.headers['content-encoding']))
      throw new AppError('unsupported-media', 'Please send the body uncompressed.');
  });
  const extendBodyTimeout = enforceBodyTimeout(app, limits);

  const refusals = createRejectionSampler((network, leftOut) =>
    log.info({ event: 'refusals-left-out', address: network, leftOut }, 'refused requests without a line'),
  );
  const flushing = setInterval(refusals.flush, REJECTION_LOG_INTERVAL_MS);
  app.addHook('onClose', (_, done) => {
    clearInterval(flushing);
    refusals.flush();
    done();
  });

  // Fastify may call this hook and the error handler outside the request's async context, so they log the id
  // themselves.
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method } = request;
    const path = request.url.split('?', 1)[0];
    const { statusCode: status } = reply;
    log.debug({ id, method, path, status, ms: Math.round(reply.elapsedTime) }, 'answered');
    if ((status === 403 || status === 429) && (request.caller || refusals.sample(request.ip))) {
      const who = { user: request.caller?.id, address: getNarrowestNetwork(request.ip) };
      log.info({ id, event: 'refused', method, path, status, ...who }, 'a request was refused');
    }
    done();
  });

  app.setErrorHandler((error: FastifyError | AppError | Error, request, reply) => {
    const isFull = isOutOfSpaceError(error);
    // The disk can be full although free space is checked first, because another program may fill it before
    // the write.
    if (isFull) log.error({ error, id: request.id }, 'a write failed because the disk is full');
    const known = isFull ? createStorageFullError() : toAppError(error);
    // Logged only for debugging: when a client disconnects, its searches are aborted, which may have caused
    // this error.
    if (reply.raw.destroyed) {
      log.debug({ id: request.id }, 'the client disconnected before the response');
      return reply;
    }
    if (isTransientDatabaseFailure(error))
      log.warn({ error, id: request.id }, 'the database did not answer a request');
    if (known) {
      if (known.retryAfter !== undefined) void reply.header('retry-after', String(known.retryAfter));
      const body: ErrorBody = { message: known.message, ...(known.issues && { issues: known.issues }) };
      return reply.code(HTTP_STATUS_BY_ERROR_CODE[known.code]).headers(ERROR_HEADERS).send(body);
    }
    // The client closed the connection in the middle of its request, which caused this error. Nothing is wrong
    // on our side, and nobody would receive a response.
    if (request.raw.destroyed && !request.raw.complete) {
      log.debug({ id: request.id }, 'the connection was closed in the middle of a request');
      return reply;
    }
    log.error(
      { error, id: request.id, method: request.method, path: request.url.split('?', 1)[0] },
      'unexpected error',
    );
    const message = `Something went wrong on our side. Please try again. If it happens again, please report this number: ${request.id}`;
    return reply
      .code(500)
      .headers(ERROR_HEADERS)
      .send({ message } satisfies ErrorBody);
  });

  return { app, extendBodyTimeout };
}

/**
 * Closes connections as they become idle during shutdown. Otherwise, a connection that was busy at the start of
 * the shutdown would stay open, waiting for a request that can't come.
 */
function closeConnectionsWhenIdle(app: FastifyInstance) {
  let timer: NodeJS.Timeout | undefined;
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  const closeIdle = () => {
    app.server.closeIdleConnections();
    // Also closes connections that browsers have opened in advance. Node counts these as busy until their first
    // request is complete.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  app.addHook('preClose', (done) => {
    timer = setInterval(closeIdle, 50);
    done();
  });
  app.addHook('onClose', (_, done) => {
    clearInterval(timer);
    done();
  });
}

/**
 * Converts errors that the client may see: our own, and those of Fastify that the client caused. Fastify's
 * texts are replaced by ours.
 * @returns null for unexpected errors
 */
function toAppError(error: FastifyError | AppError | Error): AppError | null {
  if (error instanceof AppError) return error;
  if (isTransientDatabaseFailure(error))
    return new AppError('unavailable', SERVER_UNAVAILABLE, { retryAfter: 5 });
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new AppError('too-large', 'This is too large to send.');
  if (status === 415) return new AppError('unsupported-media', 'Please send JSON.');
  if (status !== undefined && status >= 400 && status < 500) {
    return new AppError(
      'bad-input',
      'Something went wrong with this request. Please reload the page and try again.',
    );
  }
  return null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * True for routes that change nothing, so that other origins may post to them. The system's share sheet
     * doesn't send our origin.
     */
    changesNothing?: boolean;
  }
}
