import type { FastifyReply } from 'fastify';

/** Returns a signal that is aborted if the client disconnects before the response is complete. */
export function createDisconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const check = () => {
    if (!raw.writableFinished) gone.abort();
  };
  if (raw.closed) check();
  else raw.once('close', check);
  return gone.signal;
}
