import type { FastifyReply } from 'fastify';
import { concerns, type ChangeFeed } from '#server/db/changes.ts';
import type { OpenResponses } from '#server/http/live-auth-guard.ts';
import type { Caller } from '#server/auth/sessions.ts';

/** Keep-alive interval: proxies cut idle connections. */
export const BEAT_MS = 25_000;

/** Maximum number of streams of one user. Pages open one stream per browser, so more is not normal use. */
const MOST_OF_ONE_USER = 10;

/** Buffer limit for a browser that does not read; an event has a few hundred bytes. */
const MOST_UNREAD_BYTES = 64 * 1024;

/**
 * After missed changes, every page may have to refetch everything. For a minute, which is enough for browsers to
 * reconnect, pages are asked to spread this over half a minute.
 */
const CROWD_MS = 60_000;
const SPREAD_MS = 30_000;

/** `withinMs`: refetch at a random moment within this time. */
type News = { refreshes: readonly string[] | null; withinMs?: number };

type Stream = {
  caller: Caller;
  send(position: string | null, text: string): void;
  beat(): void;
  end(): void;
};

export type EventStreams = ReturnType<typeof eventStreams>;

/** Streams changes to open pages as server-sent events. */
export function eventStreams(feed: ChangeFeed, answers: OpenResponses) {
  let missedAt = performance.now();
  const open = new Set<Stream>();
  const endAll = () => {
    for (const stream of open) stream.end();
  };
  const stopListening = feed.listen({
    onChange(change) {
      if (change.refreshes.length === 0) return;
      const text = message(change.id, { refreshes: change.refreshes });
      for (const stream of open) if (concerns(change, stream.caller)) stream.send(change.id, text);
    },
    // Browsers reconnect by themselves, with a position that is no longer known.
    onMissed() {
      missedAt = performance.now();
      endAll();
    },
  });
  const beating = setInterval(() => {
    for (const stream of open) stream.beat();
  }, BEAT_MS);

  /** Returns what a page has missed since its position; null if that is unknown. */
  function missedBy(caller: Caller, since: string | null): News {
    const changes = feed.since(since);
    if (changes) {
      const refreshes = changes.filter((change) => concerns(change, caller)).flatMap((one) => one.refreshes);
      return { refreshes: [...new Set(refreshes)] };
    }
    const isCrowd = performance.now() - missedAt < CROWD_MS;
    return { refreshes: null, ...(isCrowd && { withinMs: SPREAD_MS }) };
  }

  return {
    /**
     * Keeps the response open until the browser disconnects, the session ends or the server shuts down.
     * @param since the position up to which the page has received changes
     */
    open(reply: FastifyReply, caller: Caller, session: string, since: string | null): void {
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
      let last: string | null = null;
      let sent: Promise<unknown> = Promise.resolve();
      const stream: Stream = {
        caller,
        // A signed-out user receives nothing more, not even changes of the same moment. Sent in order, because a
        // position implies that all earlier changes were sent.
        send(position, text) {
          last = position;
          sent = Promise.all([right.confirmed(), sent]).then(() => write(text), ignore);
        },
        // Includes the position, which advances even if no change concerns the caller.
        beat() {
          write(':\n\n');
          const position = feed.position();
          if (position !== last) stream.send(position, message(position, { refreshes: [] }));
        },
        end() {
          open.delete(stream);
          right.close();
          raw.end();
        },
      };
      const right = answers.add(
        { session, caller, file: null, length: 'short', end: stream.end },
        performance.now() - reply.elapsedTime,
      );
      raw.on('close', stream.end);
      open.add(stream);
      const [oldest, ...others] = [...open].filter((each) => each.caller.id === caller.id);
      if (others.length >= MOST_OF_ONE_USER) oldest?.end();
      const position = feed.position();
      stream.send(position, message(position, missedBy(caller, since)));
      stream.beat();
    },

    close() {
      stopListening();
      clearInterval(beating);
      endAll();
    },
  };
}

const message = (position: string | null, news: News) =>
  `${position === null ? '' : `id: ${position}\n`}data: ${JSON.stringify(news)}\n\n`;

const ignore = () => undefined;
