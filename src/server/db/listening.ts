import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { ConnectionSettings } from './database.ts';
import { KEEP_ALIVE_OPTIONS, DEFAULT_DATABASE_TIMEOUTS } from './pool.ts';
import type { Log } from '../log.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';

/** Timing of a listener, in milliseconds. */
const TIMING = {
  /**
   * Interval and timeout of pings. A listener sends nothing by itself, so without pings a dead connection looks
   * idle.
   */
  pingEvery: 10_000,
  answer: 10_000,
  /** Delay before the first attempt to reconnect; it doubles until the maximum. */
  minReconnect: 1_000,
  maxReconnect: 2_000,
};
const CLOSE_TIMEOUT_MS = 500;

export type NotificationListener = {
  onNotice(payload: string): void;
  /**
   * Called when listening starts, and again after each reconnect. Notifications that were sent before this
   * call, or while the connection was down, were missed.
   *
   * @param notify notifies all listeners on the channel, including this one
   */
  onBegin(notify: (payload: string) => void): void;
};

/**
 * Receives notifications on a database channel (LISTEN), over a dedicated connection that reconnects when it
 * breaks. Notifications may be missed, so don't rely on them alone.
 */
export function listenOnChannel(
  channel: string,
  connection: ConnectionSettings,
  listener: NotificationListener,
  log: Pick<Log, 'warn'>,
  timing = TIMING,
) {
  const ending = new AbortController();
  const running = (async () => {
    let wait = timing.minReconnect;
    const resetting: NotificationListener = {
      ...listener,
      onBegin(notify) {
        wait = timing.minReconnect;
        listener.onBegin(notify);
      },
    };
    while (!ending.signal.aborted) {
      await listenOnce(channel, connection, resetting, ending.signal, timing).catch((error: unknown) => {
        // Logs only the first failure in a row.
        if (wait === timing.minReconnect)
          log.warn({ error, channel }, 'cannot listen to the database; retrying');
      });
      await setTimeout(wait, undefined, { signal: ending.signal }).catch(() => undefined);
      wait = Math.min(wait * 2, timing.maxReconnect);
    }
  })();
  return {
    stop() {
      ending.abort();
      return running;
    },
  };
}

/**
 * Listens until the connection ends.
 * @throws Error if the connection can't be established, or if the server stops responding
 */
async function listenOnce(
  channel: string,
  connection: ConnectionSettings,
  listener: NotificationListener,
  signal: AbortSignal,
  { pingEvery, answer }: typeof TIMING,
): Promise<void> {
  const client = new pg.Client({
    ...connection,
    ...KEEP_ALIVE_OPTIONS,
    connectionTimeoutMillis: DEFAULT_DATABASE_TIMEOUTS.connect,
  });
  const over = new AbortController();
  client.once('end', () => over.abort());
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const stop = () => {
    over.abort();
    resolve();
  };
  signal.addEventListener('abort', stop);
  // Stops waiting for a database that doesn't respond, so that the program can shut down.
  const orStopped = (call: Promise<unknown>) => Promise.race([call, stopped]);
  // Without an error handler, a broken connection would crash the process. The 'end' event is handled above.
  client.on('error', () => undefined);
  client.on('notification', ({ payload = '' }) => listener.onNotice(payload));
  try {
    await orStopped(client.connect());
    if (signal.aborted) return;
    await orStopped(withTimeout(answer, client.query(`listen ${pg.escapeIdentifier(channel)}`)));
    if (signal.aborted) return;
    listener.onBegin((payload) => {
      // Ignores errors: they mean that the connection is lost, which ends the loop below.
      client.query('select pg_notify($1, $2)', [channel, payload]).catch(() => undefined);
    });
    for (;;) {
      await setTimeout(pingEvery, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted || signal.aborted) return;
      await orStopped(withTimeout(answer, client.query('select 1')));
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Destroys the socket if closing takes too long, because an unreachable server sends no FIN.
    await withTimeout(CLOSE_TIMEOUT_MS, client.end()).catch(() => client.connection.stream.destroy());
  }
}
