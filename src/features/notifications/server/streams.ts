import type { FastifyReply } from 'fastify';
import { concerns, type ChangeFeed } from '../../../platform/server/changes.ts';
import type { OpenResponses } from '../../../platform/server/open-responses.ts';
import type { Caller } from '../../../platform/server/sessions.ts';

/** Keep-alive: proxies cut idle connections. */
const BEAT_MS = 25_000;

/** Pages open one stream per browser; more than this from one user is something else. */
const MOST_OF_ONE_USER = 10;

/** Buffer limit for a browser that does not read; an event has some hundred bytes. */
const MOST_UNREAD_BYTES = 64 * 1024;

type Stream = { caller: Caller; send(text: string): void; beat(): void; end(): void };

export type EventStreams = ReturnType<typeof eventStreams>;

/** The open pages that receive changes, as server-sent events. */
export function eventStreams(feed: ChangeFeed, answers: OpenResponses) {
  const open = new Set<Stream>();
  const endAll = () => {
    for (const stream of open) stream.end();
  };
  const stopListening = feed.listen({
    onChange(change) {
      if (change.refreshes.length === 0) return;
      const data = `data: ${JSON.stringify({ refreshes: change.refreshes })}\n\n`;
      for (const stream of open) if (concerns(change, stream.caller)) stream.send(data);
    },
    // Browsers reconnect at once, and refetch everything.
    onMissed: endAll,
  });
  const beating = setInterval(() => {
    for (const stream of open) stream.beat();
  }, BEAT_MS);

  return {
    /** Keeps the response open until the browser leaves, the session ends or the server shuts down. */
    open(reply: FastifyReply, caller: Caller, session: string): void {
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        // Disables buffering in nginx.
        'x-accel-buffering': 'no',
      });
      const write = (text: string) => {
        raw.write(text);
        if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy();
      };
      const stream: Stream = {
        caller,
        // A signed-out user receives nothing more, not even of the same moment.
        send: (text) => void right.confirmed().then(() => write(text), ignore),
        beat: () => write(':\n\n'),
        end() {
          open.delete(stream);
          right.close();
          raw.end();
        },
      };
      const right = answers.add(
        { session, caller, file: null, isLong: false, end: stream.end },
        performance.now() - reply.elapsedTime,
      );
      raw.on('close', stream.end);
      open.add(stream);
      const [oldest, ...others] = [...open].filter((each) => each.caller.id === caller.id);
      if (others.length >= MOST_OF_ONE_USER) oldest?.end();
      stream.beat();
    },

    close() {
      stopListening();
      clearInterval(beating);
      endAll();
    },
  };
}

const ignore = () => undefined;
