import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { HttpLimits } from './limits.ts';

/** Number of progress checks per idle timeout of an upload. */
const PROGRESS_CHECKS = 4;

/**
 * Enforces a timeout for every request body, even if no handler reads it. After the response, the rest of a
 * body is read and discarded, because a browser that is still sending would otherwise report a broken
 * connection.
 * @returns a function that replaces the timeout of an upload with an idle timeout; call it when the sender
 * has been identified
 */
export function enforceBodyTimeout(app: FastifyInstance, limits: HttpLimits) {
  const watched = new WeakMap<FastifyRequest, () => void>();

  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) watch(request, reply);
    done();
  });

  function watch(request: FastifyRequest, reply: FastifyReply) {
    const { raw } = request;
    const { socket } = raw;
    let timer: NodeJS.Timeout = setTimeout(() => rejectAsTimedOut(request, reply), limits.bodyMs);
    // Destroys the request when its connection closes. After the response, Node doesn't emit 'close' on the
    // request by itself, and a reader of the request would wait forever.
    const end = () => raw.destroy();
    socket.once('close', end);
    raw.once('close', () => {
      clearTimeout(timer);
      socket.off('close', end);
    });
    reply.raw.once('finish', () => {
      if (!raw.complete) discardSlowly(raw, limits.discardEachMs);
    });
    watched.set(request, () => {
      clearTimeout(timer);
      let seen = socket.bytesRead;
      let silentFor = 0;
      timer = setInterval(() => {
        // An upload with unread data is not silent: we are slow to read it, and the sender has to wait.
        const isSilent = socket.bytesRead === seen && raw.readableLength === 0;
        silentFor = isSilent ? silentFor + 1 : 0;
        seen = socket.bytesRead;
        if (silentFor >= PROGRESS_CHECKS) rejectAsTimedOut(request, reply);
      }, limits.uploadIdleMs / PROGRESS_CHECKS);
    });
  }

  return (request: FastifyRequest) => watched.get(request)?.();
}

/** Reads and discards the rest of a body slowly, because at full speed it would slow down other requests. */
function discardSlowly(raw: IncomingMessage, eachMs: number) {
  const { socket } = raw;
  const pause = () => {
    if (!raw.closed) socket.pause();
  };
  let timer: NodeJS.Timeout;
  function readOnce() {
    socket.resume();
    setImmediate(pause);
    // Jitter, so that bodies rejected at the same moment are not read at the same moment.
    timer = setTimeout(readOnce, eachMs * (0.5 + Math.random()));
  }
  readOnce();
  raw.once('close', () => {
    clearTimeout(timer);
    socket.resume();
  });
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function rejectAsTimedOut({ raw }: FastifyRequest, reply: FastifyReply) {
  if (raw.complete) return;
  if (reply.sent) raw.socket.destroy();
  else void reply.header('connection', 'close').send(tooSlowError());
}

const tooSlowError = () => new AppError('timed-out', 'Sending this took too long. Please try again.');
