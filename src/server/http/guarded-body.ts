import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenResponse, OpenResponses, Right } from './live-auth-guard.ts';
import type { Caller } from '../auth/sessions.ts';
import type { Cookies } from './cookies.ts';

const ASK_EACH = 1024 * 1024;

export type SendGuarded = ReturnType<typeof guardedBodies>;

/** Sends bytes as long as the caller has access and the client keeps accepting data. */
export function guardedBodies(answers: OpenResponses, cookies: Cookies) {
  return function send(
    { caller, request, reply }: { caller: Caller; request: FastifyRequest; reply: FastifyReply },
    guarded: Pick<OpenResponse, 'file' | 'length'>,
    content: Readable | Buffer,
  ): void {
    const right = answers.add(
      {
        ...guarded,
        session: cookies.session.read(request) ?? '',
        caller,
        end: () => cutOff(reply.raw),
      },
      performance.now() - reply.elapsedTime,
    );
    const release = () => {
      right.close();
      // If a client disconnects before the first chunk, the generator that would close the stream is never started.
      if (content instanceof Readable) content.destroy();
    };
    if (reply.raw.closed) release();
    else reply.raw.once('close', release);
    reply.raw.setTimeout(answers.limits.stalled, () => cutOff(reply.raw));
    void reply.send(
      content instanceof Readable
        ? Readable.from(whileRightLasts(content, right), { objectMode: false })
        : content,
    );
  };
}

/** Resets the connection, which also discards data in the kernel's buffers. */
function cutOff(raw: ServerResponse) {
  if (raw.socket) raw.socket.resetAndDestroy();
  else raw.destroy();
}

/**
 * Yields the bytes as long as the caller has access. Access is confirmed again after each MiB: the check runs while
 * the next MiB is sent, and the one after that waits for the result.
 */
async function* whileRightLasts(bytes: Readable, right: Right) {
  let sent = 0;
  let confirming: Promise<void> | null = null;
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const recheck = right.recheck();
    if (recheck) await recheck;
    yield chunk;
    sent += chunk.length;
    if (sent < ASK_EACH) continue;
    sent = 0;
    await confirming;
    confirming = right.confirmed();
  }
}
