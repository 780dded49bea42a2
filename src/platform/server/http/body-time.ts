import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../contract/errors.ts';
import type { HttpLimits } from './limits.ts';

/** Times that a silent upload is looked at before it is given up. */
const LOOKS = 4;

/**
 * Bounds the time of every body, whoever sends it and whether or not anybody reads it. What is still on its way when
 * the answer is sent is thrown away, because a browser that is still sending would see a broken connection instead.
 * @returns gives an upload more time; call it once its sender is known
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
    let timer: NodeJS.Timeout = setTimeout(() => giveUp(request, reply), limits.bodyMs);
    // Once it is answered, Node does not tell a request that its connection has closed: its reader would wait for ever.
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
        // What lies here unread is not for its sender to hurry.
        const isSilent = socket.bytesRead === seen && raw.readableLength === 0;
        silentFor = isSilent ? silentFor + 1 : 0;
        seen = socket.bytesRead;
        if (silentFor >= LOOKS) giveUp(request, reply);
      }, limits.uploadIdleMs / LOOKS);
    });
  }

  return (request: FastifyRequest) => watched.get(request)?.();
}

/** As fast as it comes, it would take the time of others. */
function discardSlowly(raw: IncomingMessage, eachMs: number) {
  const { socket } = raw;
  const pause = () => {
    if (!raw.closed) socket.pause();
  };
  let timer: NodeJS.Timeout;
  function readOnce() {
    socket.resume();
    setImmediate(pause);
    // What was refused at the same moment is not read from at the same moment, too.
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

function giveUp({ raw }: FastifyRequest, reply: FastifyReply) {
  if (raw.complete) return;
  if (reply.sent) raw.socket.destroy();
  else void reply.header('connection', 'close').send(tooSlow());
}

const tooSlow = () =>
  new AppError('timed-out', 'This took too long to arrive. Please try again when the connection is better.');
