import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from '../../db/database.ts';
import type { Log } from './log.ts';

const SECOND_MS = 1000;
const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = 30 * SECOND_MS;

export type Listener = {
  onNotice(payload: string): void;
  /** It listens now; what was told before, also while the connection was broken, was heard by nobody. */
  onBegin(): void;
};

/**
 * Hears what is told on a channel of the database (LISTEN), on a connection of its own that is made anew when it
 * breaks. It may miss some: nothing may rest on it alone.
 */
export function listenOn(
  channel: string,
  connection: Connection,
  listener: Listener,
  log: Pick<Log, 'warn'>,
) {
  const ending = new AbortController();
  const running = (async () => {
    let wait = FIRST_WAIT_MS;
    while (!ending.signal.aborted) {
      const hasListened = await listen(channel, connection, listener, ending.signal).catch(
        (error: unknown) => {
          log.warn({ error, channel }, 'the database could not be listened to; trying again');
          return false;
        },
      );
      wait = hasListened ? FIRST_WAIT_MS : Math.min(wait * 2, LONGEST_WAIT_MS);
      await setTimeout(wait, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  })();
  return {
    stop() {
      ending.abort();
      return running;
    },
  };
}

/** Listens until the connection ends. @returns whether it had come about */
async function listen(
  channel: string,
  connection: Connection,
  listener: Listener,
  signal: AbortSignal,
): Promise<boolean> {
  const client = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: 10 * SECOND_MS });
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  // Without a listener, a connection that breaks would end the process; that it ended is heard above.
  client.on('error', () => undefined);
  client.on('notification', ({ payload = '' }) => listener.onNotice(payload));
  try {
    await client.connect();
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    listener.onBegin();
    if (!signal.aborted) await Promise.race([ended, aborted(signal)]);
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
