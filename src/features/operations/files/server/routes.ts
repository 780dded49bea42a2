import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { matchesEtag } from '#server/http/etag.ts';
import type { SendGuardedBody } from '#server/http/guarded-body.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { LiveAuthGuard } from '#server/http/live-auth-guard.ts';
import type { filesApi } from '../contract.ts';
import { parseByteRange } from '#shared/byte-range.ts';
import type { DelegateFile } from './delegate-file.ts';
import type { FilesService } from './service.ts';

/** Maximum number of bytes that are read into memory instead of streamed. A stream would buffer as much. */
const MAX_SHORT_BYTES = 256 * 1024;
/** Size above which a response counts as long, in bytes. Only audio is that large; pictures are smaller. */
const MIN_LONG_BYTES = 1024 * 1024;

const FIRST_BYTE = { start: 0, end: 0 };

export const createFilesRoutes = (
  files: FilesService,
  answers: LiveAuthGuard,
  send: SendGuardedBody,
  delegateFile: DelegateFile | null,
): Handlers<typeof filesApi> => ({
  read: async ({ params, query, caller, request, reply }) => {
    const file = await files.find(params.name, query.type, caller, query.copy);
    const etag = `"${file.sha256}"`;
    void reply.headers({
      'content-type': file.contentType,
      // Makes the browser revalidate each time, because authorization is checked on every request. With the
      // ETag, the response can be a 304.
      'cache-control': 'private, no-cache',
      etag,
      vary: 'Cookie',
      // Prevents the browser from running scripts in a file.
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition': 'inline',
      // Disables buffering in nginx, which would still send its buffers after access has been revoked.
      'x-accel-buffering': 'no',
    });
    if (matchesEtag(request.headers['if-none-match'], etag)) return void reply.code(304).send();

    // With `keep`, the server sends the bytes itself, because the script that stores the audio on the device
    // can't follow a redirect to another origin.
    const canDelegate = query.type === 'audio' && query.keep === undefined;
    if (delegateFile && canDelegate && request.method !== 'HEAD') {
      // Reads a byte before delegating, because the proxy or the store can't report damage or find a file in
      // `media/set-aside`.
      await files.read(file, FIRST_BYTE);
      const { status, headers } = await delegateFile(file);
      return void reply.code(status).headers(headers).send();
    }
    void reply.header('accept-ranges', 'bytes');
    const range = getRequestedRange(request, etag, file.size);
    if (range === 'unsatisfiable') {
      void reply.header('content-range', `bytes */${file.size}`);
      throw new AppError('range', 'The file has no such part.');
    }
    const part = range === 'whole' ? { start: 0, end: file.size - 1 } : range;
    const length = part.end - part.start + 1;
    const isLong = length > MIN_LONG_BYTES && request.method !== 'HEAD';
    const isShort = length <= MAX_SHORT_BYTES && request.method !== 'HEAD';
    const content = isShort ? await files.read(file, part) : await files.open(file, part);
    // Checks the limit synchronously before sending, so that a burst cannot exceed it.
    if (isLong) {
      try {
        answers.assertNotTooMany(caller, 'long');
      } catch (error) {
        if (content instanceof Readable) content.destroy();
        throw error;
      }
    }
    if (range !== 'whole') {
      void reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${file.size}`);
    }
    void reply.header('content-length', length);
    if (request.method === 'HEAD') {
      if (content instanceof Readable) content.destroy();
      return void reply.send(Readable.from([]));
    }
    // Passes on the requested name, by which access is checked while sending. For a copy, it is the original's
    // name.
    send({ caller, request, reply }, { file: params.name, length: isLong ? 'long' : 'short' }, content);
  },
});

/**
 * Returns the requested range, or 'unsatisfiable'. Returns 'whole' if there is no range, if `If-Range` names
 * another version, or if the method isn't GET (RFC 9110, section 14.2).
 */
function getRequestedRange(request: FastifyRequest, etag: string, size: number) {
  if (request.method !== 'GET') return 'whole';
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return 'whole';
  return parseByteRange(request.headers.range, size);
}
