import type { Socket } from 'node:net';
import { constants } from 'node:zlib';
import fastifyCookie from '@fastify/cookie';
import fastifyCompress from '@fastify/compress';
import fastifyMultipart from '@fastify/multipart';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { isUnavailable } from '../../../db/unavailable.ts';
import { AppError, statusOf, type ErrorBody } from '../../contract/errors.ts';
import type { Log } from '../log.ts';
import { refuseForeignOrigin } from './origin.ts';

/** A slow line may take long over 100 MB; a line that sends no headers may not. */
const REQUEST_TIMEOUT_MS = 60 * 60 * 1000;
const HEADERS_TIMEOUT_MS = 60 * 1000;

const NO_DATABASE =
  'Yangchen cannot reach its database just now. Nothing you typed or sang is lost. Please try again in a moment.';

/** For what is not HTTP at all; beneath Fastify, so written out. */
const NO_HTTP_BODY = '{"message":"The request could not be read."}';
const NO_HTTP = [
  'HTTP/1.1 400 Bad Request',
  'content-type: application/json; charset=utf-8',
  'x-content-type-options: nosniff',
  'connection: close',
  `content-length: ${NO_HTTP_BODY.length}`,
  '',
  NO_HTTP_BODY,
].join('\r\n');

/** The web server with everything that holds for every request, and no route yet. */
export async function createApp(options: {
  log: Log;
  trustProxy: number;
  https: boolean;
}): Promise<FastifyInstance> {
  const { log } = options;
  const securityHeaders = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // The page sets its own; whatever else is asked for as a page may do nothing.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    // Browsers know these two on secure pages only.
    ...(options.https && {
      'strict-transport-security': 'max-age=31536000',
      'cross-origin-opener-policy': 'same-origin',
    }),
  };
  const app = fastify({
    logger: false,
    trustProxy: (_address, hop) => hop < options.trustProxy,
    bodyLimit: 1024 * 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Answers what is in flight, then closes; idle keep-alive lines don't hold up the end.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    genReqId: () => crypto.randomUUID(),
    // An address that can't be one is found nowhere; the router's own words would not look like our answers.
    frameworkErrors: (_error, _request, reply) => {
      const answer = reply as unknown as FastifyReply;
      void answer
        .code(404)
        .headers({ ...securityHeaders, 'cache-control': 'no-store' })
        .send({ message: 'Not found' });
    },
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end(NO_HTTP);
      else socket.destroy();
    },
  });
  app.server.headersTimeout = HEADERS_TIMEOUT_MS;
  closeLinesAsTheyFallIdle(app);
  app.decorateRequest('caller', null);
  // JSON and forms are all that is taken; a body that a foreign page can send without asking is not.
  app.removeContentTypeParser('text/plain');
  // Pieces of files; each endpoint that takes them says how large.
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  await app.register(fastifyCookie);
  await app.register(fastifyMultipart);
  await app.register(fastifyCompress, {
    global: true,
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // A page that fits the first ten packets of a line arrives a round trip earlier.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } },
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders);
    refuseForeignOrigin(request);
  });

  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const path = request.url.split('?', 1)[0];
    log.debug(
      { id: request.id, method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
    done();
  });

  app.setErrorHandler((error: FastifyError | AppError | Error, request, reply) => {
    const known = asAppError(error);
    // Whoever would read the answer has gone; a search of theirs was cancelled for it.
    if (reply.raw.destroyed) {
      log.debug({ id: request.id }, 'the caller went away before the answer');
      return reply;
    }
    if (isUnavailable(error)) log.warn({ error, id: request.id }, 'the database did not answer a request');
    if (known) {
      if (known.retryAfter !== undefined) void reply.header('retry-after', String(known.retryAfter));
      const body: ErrorBody = { message: known.message, ...(known.issues && { issues: known.issues }) };
      return reply.code(statusOf[known.code]).header('cache-control', 'no-store').send(body);
    }
    // A line that the other end dropped is no fault of ours and can't be answered.
    if (request.raw.destroyed && !request.raw.complete) {
      log.debug({ id: request.id }, 'the line was cut in the middle of a request');
      return reply;
    }
    log.error(
      { error, id: request.id, method: request.method, path: request.url.split('?', 1)[0] },
      'unexpected error',
    );
    const message = `Something went wrong on our side. Please try again; if it stays, tell your teacher this number: ${request.id}`;
    return reply
      .code(500)
      .header('cache-control', 'no-store')
      .send({ message } satisfies ErrorBody);
  });

  return app;
}

/** A line that was busy when the end began would otherwise be kept open for the next request, which can't come. */
function closeLinesAsTheyFallIdle(app: FastifyInstance) {
  let timer: NodeJS.Timeout | undefined;
  const lines = new Set<Socket>();
  app.server.on('connection', (line: Socket) => {
    lines.add(line);
    line.on('close', () => lines.delete(line));
  });
  const closeIdle = () => {
    app.server.closeIdleConnections();
    // Node takes a line on which nothing has come yet for a busy one; browsers open such in advance.
    for (const line of lines) if (line.bytesRead === 0) line.destroy();
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

/** Our own errors, and those of Fastify that are the sender's doing; their texts are fixed here, not passed on. */
function asAppError(error: FastifyError | AppError | Error): AppError | null {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) return new AppError('unavailable', NO_DATABASE, { retryAfter: 5 });
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return new AppError('too-large', 'This is too large to be taken.');
  if (status === 415) return new AppError('unsupported-media', 'Please send JSON.');
  if (status !== undefined && status >= 400 && status < 500) {
    return new AppError('bad-input', 'The request could not be read.');
  }
  return null;
}
