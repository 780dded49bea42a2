import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/contract/errors.ts';
import type { Handlers } from '../../../platform/server/http/handlers.ts';
import type { filesApi } from '../contract.ts';
import { parseByteRange } from './byte-range.ts';
import type { FilesService } from './service.ts';

// The audience is checked at every request, so the browser must ask each time; it is answered 304 from the ETag.
// A thumbnail says little and is asked for by the dozen, so it may be kept for a day.
const CACHE = { audio: 'private, no-cache', image: 'private, max-age=86400' } as const;

export const filesRoutes = (files: FilesService): Handlers<typeof filesApi> => ({
  read: async ({ params, query, caller, request, reply }) => {
    const file = await files.find(params.name, query.type, caller);
    const etag = `"${file.sha256}"`;
    void reply.headers({
      'content-type': file.contentType,
      'cache-control': CACHE[file.media],
      etag,
      vary: 'Cookie',
      'accept-ranges': 'bytes',
      // Nothing that is served here may run, whatever its bytes say.
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition': 'inline',
    });
    if (hasThisVersion(request.headers['if-none-match'], etag)) return reply.code(304).send();

    const range = rangeWanted(request, etag, file.size);
    if (range === 'unsatisfiable') {
      void reply.header('content-range', `bytes */${file.size}`);
      throw new AppError('range', 'The file has no such part.');
    }
    const part = range === 'whole' ? { start: 0, end: file.size - 1 } : range;
    const stream = await files.open(file, part);
    if (range !== 'whole') {
      void reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${file.size}`);
    }
    return reply.header('content-length', part.end - part.start + 1).send(stream);
  },
});

const hasThisVersion = (header: string | undefined, etag: string) =>
  header !== undefined && header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);

/** `If-Range` with another version asks for the whole file. */
function rangeWanted(request: FastifyRequest, etag: string, size: number) {
  const condition = request.headers['if-range'];
  if (condition !== undefined && condition !== etag) return 'whole';
  return parseByteRange(request.headers.range, size);
}
