import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from '../../../db/database.ts';
import type { Log } from '../log.ts';
import { MAIL_CHANNEL } from './queue.ts';

const SECOND_MS = 1000;
const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = 30 * SECOND_MS;

/**
 * Calls when there is mail, on a connection of its own that is made anew when it breaks. It may miss some: it only
 * wakes who would look by himself a little later.
 */
export function wakeAtMail(connection: Connection, wake: () => void, log: Pick<Log, 'warn'>) {
  const ending = new AbortController();
  const running = (async () => {
    let wait = FIRST_WAIT_MS;
    while (!ending.signal.aborted) {
      const hasListened = await listen(connection, wake, ending.signal).catch((error: unknown) => {
        log.warn({ error }, 'not told of new mail for a while; it is looked for instead');
        return false;
      });
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
async function listen(connection: Connection, wake: () => void, signal: AbortSignal): Promise<boolean> {
  const client = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: 10 * SECOND_MS });
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  // Without a listener, a connection that breaks would end the process; that it ended is heard above.
  client.on('error', () => undefined);
  client.on('notification', wake);
  try {
    await client.connect();
    await client.query(`listen ${pg.escapeIdentifier(MAIL_CHANNEL)}`);
    // What came while nobody listened.
    wake();
    if (!signal.aborted) await Promise.race([ended, aborted(signal)]);
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
