import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors.ts';
import type { HttpLimits } from './limits.ts';

/** How often an idle upload is checked before it is given up. */
const LOOKS = 4;

/**
 * Enforces a timeout for every body, whoever sends it and whether or not anybody reads it. Whatever still arrives after
 * the response is discarded, because a browser that is still sending would see a broken connection instead.
 * @returns extends the timeout of an upload; call it once its sender is known
 */
export function limitBodyTime(app: FastifyInstance, limits: HttpLimits) {
  const watched = new WeakMap<FastifyRequest, () => void>();

  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) watch(request, reply);
    done();
  });

  function watch(request: FastifyRequest, reply: FastifyReply) {
    const { raw } = request;
    const { socket } = raw;
    let timer: NodeJS.Timeout = setTimeout(() => timeOut(request, reply), limits.bodyMs);
    // Node does not report the close of the connection to a request that was answered: its reader would wait forever.
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
        // While data here is unread, the sender is not the slow one.
        const isSilent = socket.bytesRead === seen && raw.readableLength === 0;
        silentFor = isSilent ? silentFor + 1 : 0;
        seen = socket.bytesRead;
        if (silentFor >= LOOKS) timeOut(request, reply);
      }, limits.uploadIdleMs / LOOKS);
    });
  }

  return (request: FastifyRequest) => watched.get(request)?.();
}

/** At full speed it would take time from others. */
function discardSlowly(raw: IncomingMessage, eachMs: number) {
  const { socket } = raw;
  const pause = () => {
    if (!raw.closed) socket.pause();
  };
  let timer: NodeJS.Timeout;
  function readOnce() {
    socket.resume();
    setImmediate(pause);
    // Jitter: bodies refused at the same moment are not read at the same moment.
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

function timeOut({ raw }: FastifyRequest, reply: FastifyReply) {
  if (raw.complete) return;
  if (reply.sent) raw.socket.destroy();
  else void reply.header('connection', 'close').send(tooSlow());
}

const tooSlow = () =>
  new AppError('timed-out', 'This took too long to arrive. Please try again when the connection is better.');
