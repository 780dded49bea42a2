import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GuardedResponse, LiveAuthGuard, ResponseAuthorization } from './live-auth-guard.ts';
import type { Caller } from '../auth/sessions.ts';
import type { Cookies } from './cookies.ts';

const CHECK_INTERVAL_BYTES = 1024 * 1024;

export type SendGuardedBody = ReturnType<typeof createGuardedBodySender>;

/**
 * Creates a function that sends a body. It resets the connection if the caller loses access or the client stops
 * accepting data.
 */
export function createGuardedBodySender(answers: LiveAuthGuard, cookies: Cookies) {
  return function send(
    { caller, request, reply }: { caller: Caller; request: FastifyRequest; reply: FastifyReply },
    guarded: Pick<GuardedResponse, 'file' | 'length'>,
    content: Readable | Buffer,
  ): void {
    const right = answers.add(
      {
        ...guarded,
        session: cookies.session.read(request) ?? '',
        caller,
        end: () => resetConnection(reply.raw),
      },
      performance.now() - reply.elapsedTime,
    );
    const release = () => {
      right.close();
      // Destroys the stream, because the generator that would do so never starts if the client disconnects
      // before the first chunk.
      if (content instanceof Readable) content.destroy();
    };
    if (reply.raw.closed) release();
    else reply.raw.once('close', release);
    reply.raw.setTimeout(answers.limits.stallTimeoutMs, () => resetConnection(reply.raw));
    void reply.send(
      content instanceof Readable
        ? Readable.from(streamWhileAuthorized(content, right), { objectMode: false })
        : content,
    );
  };
}

/** Resets the connection, which also discards data in the kernel's buffers. */
function resetConnection(raw: ServerResponse) {
  if (raw.socket) raw.socket.resetAndDestroy();
  else raw.destroy();
}

/**
 * Yields the bytes as long as the caller has access. After each MiB, access is checked again while the next
 * MiB is being sent. The MiB after that waits for the result.
 */
async function* streamWhileAuthorized(bytes: Readable, right: ResponseAuthorization) {
  let sent = 0;
  let confirming: Promise<void> | null = null;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const recheck = right.recheck();
    if (recheck) await recheck;
    yield chunk;
    sent += chunk.length;
    if (sent < CHECK_INTERVAL_BYTES) continue;
    sent = 0;
    await confirming;
    confirming = right.confirm();
  }
}
