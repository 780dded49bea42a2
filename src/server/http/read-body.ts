import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DEFAULT_MAX_JSON_BYTES } from '#shared/endpoint.ts';
import { AppError, createBadInputError } from '#shared/errors.ts';

const INITIAL_BUFFER_BYTES = 4096;

/**
 * Reads a stream into one buffer, which doubles when it is full. The chunks are copied rather than collected,
 * because a body sent byte by byte would create an object per byte.
 * @param expected expected number of bytes
 * @throws AppError 'too-large' at the first byte beyond `max`; the rest is left in the stream
 */
export function readStreamWithinLimit(
  stream: Readable,
  max: number,
  expected = INITIAL_BUFFER_BYTES,
): Promise<Buffer> {
  let block = Buffer.allocUnsafe(Math.min(max, expected));
  let length = 0;
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      if (length + chunk.length > max) return settle(() => reject(tooLargeError()));
      if (length + chunk.length > block.length) {
        const larger = Buffer.allocUnsafe(Math.min(max, Math.max(block.length * 2, length + chunk.length)));
        block.copy(larger, 0, 0, length);
        block = larger;
      }
      length += chunk.copy(block, length);
    };
    const onEnd = () => settle(() => resolve(block.subarray(0, length)));
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => settle(() => reject(new Error('the body ended early')));
    function settle(say: () => void) {
      stream.off('data', onData).off('end', onEnd).off('close', onClose);
      say();
    }
    // The error handler is never removed: without one, a stream that fails later would crash the process.
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/**
 * Reads the body of a request.
 * @throws AppError 'too-large', without reading anything if the declared length is too large
 */
export async function readBody(request: FastifyRequest, payload: Readable, max: number): Promise<Buffer> {
  const declared = request.headers['content-length'];
  if (Number(declared) > max) throw tooLargeError();
  return readStreamWithinLimit(payload, max, declared === undefined ? undefined : Number(declared));
}

/**
 * Accepts JSON bodies, within the limit of each route. text/plain is not accepted, because another site's page
 * can send it without a preflight.
 */
export function acceptJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', (request, payload, done) => {
    readBody(request, payload as Readable, request.routeOptions.bodyLimit ?? DEFAULT_MAX_JSON_BYTES).then(
      (body) => void parse(request, body.toString('utf8'), done),
      done,
    );
  });
}

/**
 * Accepts only forms without files. Must be called on a separate scope, because another site's page can send
 * forms without a preflight.
 */
export function acceptForms(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM_TYPES, async (request: FastifyRequest, payload: Readable) => {
    const body = await readBody(request, payload, request.routeOptions.bodyLimit ?? DEFAULT_MAX_JSON_BYTES);
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const form = await new Response(body, { headers }).formData().catch(() => null);
    if (!form) throw createBadInputError('The form could not be read. Please try again.');
    return Object.fromEntries(form);
  });
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new AppError('unsupported-media', 'Please send a form.')),
  );
}

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];

const tooLargeError = () => new AppError('too-large', 'This is too large to send.');
