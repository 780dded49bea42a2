import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { SendGuardedBody } from '#server/http/guarded-body.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { ListLimiter } from '#server/http/request-limiters.ts';
import type { OriginCheck } from '#server/http/origin.ts';
import type { Log } from '#server/log.ts';
import type { LiveAuthGuard } from '#server/http/live-auth-guard.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { createZipStream } from '#server/zip.ts';
import type { exportsApi } from '../contract.ts';
import type { ExportFile, ExportsService } from './service.ts';

type Deps = {
  exports: ExportsService;
  answers: LiveAuthGuard;
  send: SendGuardedBody;
  lists: ListLimiter;
  origins: OriginCheck;
  log: Pick<Log, 'warn'>;
};

type Call = { caller: Caller; request: FastifyRequest; reply: FastifyReply; signal: AbortSignal };

export function createExportsRoutes({
  exports,
  answers,
  send,
  lists,
  origins,
  log,
}: Deps): Handlers<typeof exportsApi> {
  const assertNotTooMany = (caller: Caller) => answers.assertNotTooMany(caller, 'export');

  /**
   * Rejects a request that comes from a link on another site. Without this check, the link would start a
   * download, because the browser sends the session cookie with the request.
   */
  function assertSameSite(request: FastifyRequest) {
    if (origins.isLedFromElsewhere(request)) throw new AppError('forbidden', 'Forbidden');
  }

  function sendArchive({ caller, request, reply, signal }: Call, { name, write }: ExportFile) {
    if (request.method === 'HEAD') return void reply.headers(getHeaders(name)).send(Readable.from([]));
    assertNotTooMany(caller);
    const archive = createZipStream(async (zip) => {
      try {
        await write(zip, (query) => lists(caller.id, signal, query));
      } catch (error) {
        if (!signal.aborted) log.warn({ error }, 'an export was broken off');
        throw error;
      }
    });
    void reply.headers(getHeaders(name));
    send({ caller, request, reply }, { file: null, length: 'export' }, archive);
  }

  return {
    ofStudent: async ({ params, ...call }) => {
      assertSameSite(call.request);
      sendArchive(call, await exports.createStudentExport(params.id, call.caller));
    },
    sizeOfStudent: async ({ params, caller }) => {
      const body = await exports.getStudentExportSize(params.id, caller);
      assertNotTooMany(caller);
      return { status: 200, body };
    },
    ofPractice: async ({ caller, request, reply, signal }) => {
      assertSameSite(request);
      const { name, text } = await exports.createPracticeExport(caller, (query) =>
        lists(caller.id, signal, query),
      );
      void reply.headers(getHeaders(name, 'text/csv; charset=utf-8')).send(text);
    },
    ofLibrary: async (call) => {
      assertSameSite(call.request);
      sendArchive(call, exports.createLibraryExport(call.caller));
    },
    sizeOfLibrary: async ({ caller }) => {
      assertNotTooMany(caller);
      return { status: 200, body: await exports.getLibraryExportSize() };
    },
  };
}

const getHeaders = (name: string, type = 'application/zip') => ({
  'content-type': type,
  // Contains the name twice (RFC 6266). Clients that support `filename*`, which includes every browser, use the
  // second one.
  'content-disposition': `attachment; filename="${name.replace(/[^\w ,.()-]/g, '_')}"; filename*=UTF-8''${encodeFileName(name)}`,
  'cache-control': 'no-store',
  vary: 'Cookie',
  // Disables buffering in nginx, which would otherwise write gigabytes to its disk.
  'x-accel-buffering': 'no',
});

const encodeFileName = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
