import type { FastifyReply } from 'fastify';
import { isMeant, type ChangeFeed } from '../../../platform/server/changes.ts';
import type { Caller } from '../../../platform/server/sessions.ts';

/** Proxies cut a line on which nothing moves; and a session that has ended is noticed by then. */
const BEAT_MS = 25_000;

/** One stream for each browser is what pages open; more than this from one user is something else. */
const MOST_OF_ONE_USER = 10;

type Stream = { caller: Caller; send(text: string): void; end(): void };

export type EventStreams = ReturnType<typeof eventStreams>;

/** The open pages that are told of changes, as server-sent events. */
export function eventStreams(feed: ChangeFeed) {
  const open = new Set<Stream>();
  const endAll = () => {
    for (const stream of open) stream.end();
  };
  const stopListening = feed.listen({
    onChange(change) {
      const data = `data: ${JSON.stringify({ refreshes: change.refreshes })}\n\n`;
      for (const stream of open) if (isMeant(change, stream.caller)) stream.send(data);
    },
    // Browsers come back at once, and ask for everything anew.
    onMissed: endAll,
  });

  return {
    /**
     * Keeps the answer open until the browser leaves, the session ends or the server does.
     * @param isStillSignedIn asked at every beat
     */
    open(reply: FastifyReply, caller: Caller, isStillSignedIn: () => Promise<boolean>): void {
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        // Asks nginx not to hold events back.
        'x-accel-buffering': 'no',
      });
      const beat = setInterval(() => {
        void isStillSignedIn().then(
          (isSignedIn) => (isSignedIn ? stream.send(':\n\n') : stream.end()),
          () => stream.end(),
        );
      }, BEAT_MS);
      const stream: Stream = {
        caller,
        send: (text) => void raw.write(text),
        end() {
          clearInterval(beat);
          open.delete(stream);
          raw.end();
        },
      };
      raw.on('close', () => stream.end());
      open.add(stream);
      const [oldest, ...others] = [...open].filter((each) => each.caller.id === caller.id);
      if (others.length >= MOST_OF_ONE_USER) oldest?.end();
      stream.send(':\n\n');
    },

    close() {
      stopListening();
      endAll();
    },
  };
}
