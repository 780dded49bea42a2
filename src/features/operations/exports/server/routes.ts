import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { SendGuarded } from '#server/http/guarded-body.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { ListLimiter } from '#server/http/request-limiters.ts';
import type { Origins } from '#server/http/origin.ts';
import type { Log } from '#server/log.ts';
import type { OpenResponses } from '#server/http/live-auth-guard.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { zipStream } from '#server/zip.ts';
import type { exportsApi } from '../contract.ts';
import type { Export, ExportsService } from './service.ts';

type Deps = {
  exports: ExportsService;
  answers: OpenResponses;
  send: SendGuarded;
  lists: ListLimiter;
  origins: Origins;
  log: Pick<Log, 'warn'>;
};

type Call = { caller: Caller; request: FastifyRequest; reply: FastifyReply; signal: AbortSignal };

export function exportsRoutes({
  exports,
  answers,
  send,
  lists,
  origins,
  log,
}: Deps): Handlers<typeof exportsApi> {
  const refuseTooMany = (caller: Caller) => answers.refuseTooMany(caller, 'export');

  /** A link on another site would send the cookie along. */
  function refuseFromElsewhere(request: FastifyRequest) {
    if (origins.isLedFromElsewhere(request)) throw new AppError('forbidden', 'Forbidden');
  }

  function sendArchive({ caller, request, reply, signal }: Call, { name, write }: Export) {
    if (request.method === 'HEAD') return void reply.headers(headersOf(name)).send(Readable.from([]));
    refuseTooMany(caller);
    const archive = zipStream(async (zip) => {
      try {
        await write(zip, (query) => lists(caller.id, signal, query));
      } catch (error) {
        if (!signal.aborted) log.warn({ error }, 'an export was broken off');
        throw error;
      }
    });
    void reply.headers(headersOf(name));
    send({ caller, request, reply }, { file: null, length: 'export' }, archive);
  }

  return {
    ofStudent: async ({ params, ...call }) => {
      refuseFromElsewhere(call.request);
      sendArchive(call, await exports.ofStudent(params.id, call.caller));
    },
    sizeOfStudent: async ({ params, caller }) => {
      const body = await exports.sizeOfStudent(params.id, caller);
      refuseTooMany(caller);
      return { status: 200, body };
    },
    ofPractice: async ({ caller, request, reply, signal }) => {
      refuseFromElsewhere(request);
      const { name, text } = await exports.practice(caller, (query) => lists(caller.id, signal, query));
      void reply.headers(headersOf(name, 'text/csv; charset=utf-8')).send(text);
    },
    ofLibrary: async (call) => {
      refuseFromElsewhere(call.request);
      sendArchive(call, exports.ofLibrary(call.caller));
    },
    sizeOfLibrary: async ({ caller }) => {
      refuseTooMany(caller);
      return { status: 200, body: await exports.sizeOfLibrary() };
    },
  };
}

const headersOf = (name: string, type = 'application/zip') => ({
  'content-type': type,
  // RFC 6266: the second name is for clients that understand it, which includes every browser.
  'content-disposition': `attachment; filename="${name.replace(/[^\w ,.()-]/g, '_')}"; filename*=UTF-8''${encoded(name)}`,
  'cache-control': 'no-store',
  vary: 'Cookie',
  // Disables buffering in nginx, which would write gigabytes to its disk.
  'x-accel-buffering': 'no',
});

const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
