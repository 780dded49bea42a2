import type { FastifyReply } from 'fastify';
import { isChangeForUser, type ChangeFeed } from '#server/db/changes.ts';
import type { LiveAuthGuard } from '#server/http/live-auth-guard.ts';
import type { Caller } from '#server/auth/sessions.ts';

/** Keep-alive interval, because proxies close idle connections. */
export const HEARTBEAT_INTERVAL_MS = 25_000;

/**
 * Maximum number of streams per user. All pages in a browser share one stream, so no user normally needs more.
 */
const MAX_STREAMS_PER_USER = 10;

/**
 * Maximum number of bytes buffered for a browser that does not read. An event is a few hundred bytes long.
 */
const MAX_BUFFERED_BYTES = 64 * 1024;

/**
 * Time within which all browsers reconnect after missed changes. Each page then refetches everything, so the
 * pages spread their requests over `SPREAD_MS`.
 */
const RECONNECT_WINDOW_MS = 60_000;
const SPREAD_MS = 30_000;

/**
 * `refreshes` lists the stale paths; null means that everything is stale. With `withinMs`, the page refetches
 * at a random moment within this time, in ms.
 */
type StreamEvent = { refreshes: readonly string[] | null; withinMs?: number };

type Stream = {
  caller: Caller;
  send(position: string | null, text: string): void;
  sendHeartbeat(): void;
  end(): void;
};

export type EventStreams = ReturnType<typeof createEventStreams>;

/** Creates the streams that send changes to open pages as server-sent events. */
export function createEventStreams(feed: ChangeFeed, answers: LiveAuthGuard) {
  let missedAt = performance.now();
  const open = new Set<Stream>();
  const endAll = () => {
    for (const stream of open) stream.end();
  };
  const stopListening = feed.listen({
    onChange(change) {
      if (change.refreshes.length === 0) return;
      const text = formatEvent(change.id, { refreshes: change.refreshes });
      for (const stream of open) if (isChangeForUser(change, stream.caller)) stream.send(change.id, text);
    },
    // Ends all streams. Browsers then reconnect by themselves, with a position that the feed no longer has,
    // so their pages refetch everything.
    onMissed() {
      missedAt = performance.now();
      endAll();
    },
  });
  const heartbeat = setInterval(() => {
    for (const stream of open) stream.sendHeartbeat();
  }, HEARTBEAT_INTERVAL_MS);

  /** Returns the changes that a page has missed since its position. `refreshes` is null if they are unknown. */
  function getMissed(caller: Caller, since: string | null): StreamEvent {
    const changes = feed.since(since);
    if (changes) {
      const refreshes = changes
        .filter((change) => isChangeForUser(change, caller))
        .flatMap((one) => one.refreshes);
      return { refreshes: [...new Set(refreshes)] };
    }
    const isCrowd = performance.now() - missedAt < RECONNECT_WINDOW_MS;
    return { refreshes: null, ...(isCrowd && { withinMs: SPREAD_MS }) };
  }

  return {
    /**
     * Sends the caller's missed changes and then all new ones, until the browser disconnects or the stream is
     * ended, for example because the session ends. Ends the user's oldest stream if there are too many.
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
        if (raw.writableLength > MAX_BUFFERED_BYTES) raw.destroy();
      };
      let last: string | null = null;
      let sent: Promise<unknown> = Promise.resolve();
      const stream: Stream = {
        caller,
        // Waits until access is confirmed, so that a signed-out user receives nothing more, not even changes
        // made at the same moment. Events are sent in order, because a position implies that all earlier
        // changes were sent.
        send(position, text) {
          last = position;
          sent = Promise.all([access.confirm(), sent]).then(() => write(text), ignore);
        },
        // Also sends the position, which advances even if no change concerns the caller.
        sendHeartbeat() {
          write(':\n\n');
          const position = feed.position();
          if (position !== last) stream.send(position, formatEvent(position, { refreshes: [] }));
        },
        end() {
          open.delete(stream);
          access.close();
          raw.end();
        },
      };
      const access = answers.add(
        { session, caller, file: null, length: 'short', end: stream.end },
        performance.now() - reply.elapsedTime,
      );
      raw.on('close', stream.end);
      open.add(stream);
      const [oldest, ...others] = [...open].filter((each) => each.caller.id === caller.id);
      if (others.length >= MAX_STREAMS_PER_USER) oldest?.end();
      const position = feed.position();
      stream.send(position, formatEvent(position, getMissed(caller, since)));
      stream.sendHeartbeat();
    },

    close() {
      stopListening();
      clearInterval(heartbeat);
      endAll();
    },
  };
}

const formatEvent = (position: string | null, news: StreamEvent) =>
  `${position === null ? '' : `id: ${position}\n`}data: ${JSON.stringify(news)}\n\n`;

const ignore = () => undefined;
