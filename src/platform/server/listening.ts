import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from '../../db/database.ts';
import { KEEP_ALIVE, LIMITS } from '../../db/pool.ts';
import type { Log } from './log.ts';
import { within } from './within.ts';

const SECOND_MS = 1000;
const FIRST_WAIT_MS = SECOND_MS;
const LONGEST_WAIT_MS = 30 * SECOND_MS;
/** Who only listens can't tell a dead connection from a quiet one, and so asks now and then; and waits so long. */
const HEARTBEAT = { everyMs: 30 * SECOND_MS, answerMs: 10 * SECOND_MS };
const GOODBYE_MS = 500;

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
  heartbeat = HEARTBEAT,
) {
  const ending = new AbortController();
  const running = (async () => {
    let wait = FIRST_WAIT_MS;
    while (!ending.signal.aborted) {
      const hasListened = await listen(channel, connection, listener, ending.signal, heartbeat).catch(
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
  { everyMs, answerMs }: typeof HEARTBEAT,
): Promise<boolean> {
  const client = new pg.Client({ ...connection, ...KEEP_ALIVE, connectionTimeoutMillis: LIMITS.connect });
  const over = new AbortController();
  const end = () => over.abort();
  client.once('end', end);
  signal.addEventListener('abort', end);
  // Without a listener, a connection that breaks would end the process; that it ended is heard above.
  client.on('error', () => undefined);
  client.on('notification', ({ payload = '' }) => listener.onNotice(payload));
  try {
    await client.connect();
    await within(answerMs, client.query(`listen ${pg.escapeIdentifier(channel)}`));
    listener.onBegin();
    for (;;) {
      await setTimeout(everyMs, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted || signal.aborted) return true;
      await within(answerMs, client.query('select 1'));
    }
  } finally {
    signal.removeEventListener('abort', end);
    // A server that is not reached any more says no goodbye.
    await within(GOODBYE_MS, client.end()).catch(() => client.connection.stream.destroy());
  }
}
