import { sql } from 'drizzle-orm';
import pg from 'pg';
import type { Connection, Db } from '../../db/database.ts';
import type { Log } from './log.ts';

/** Whose open pages should ask again, and for what. It says that something changed, never what. */
export type Change = {
  /** A user's id, or everyone who is an admin. */
  to: string;
  /** Addresses whose answers, and all beneath them, are old. */
  refreshes: readonly `/api/${string}`[];
};

export const ADMINS = 'admins';

const CHANNEL = 'changes';
const RECONNECT_MS = 2_000;

/** Tells all processes of a change once the transaction has committed, and nobody when it does not. */
export async function announceChange(tx: Db, change: Change): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(change)})`);
}

export type ChangeListener = {
  onChange(change: Change): void;
  /** The line was lost for a while: anything may have changed. */
  onMissed(): void;
};

export type ChangeFeed = {
  /** @returns ends the listening */
  listen(listener: ChangeListener): () => void;
  close(): Promise<void>;
};

/** Hears of changes from every process on the same database, over a connection of its own. */
export function openChangeFeed(connection: Connection, log: Log): ChangeFeed {
  const listeners = new Set<ChangeListener>();
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  let hasBeenLost = false;

  async function connect() {
    const opened = new pg.Client(connection);
    client = opened;
    const lost = (error?: Error) => {
      if (client !== opened || isClosed) return;
      client = null;
      hasBeenLost = true;
      log.warn({ error }, 'the line that hears of changes was lost; trying again');
      retry = setTimeout(() => void connect(), RECONNECT_MS);
    };
    opened.on('error', lost);
    opened.on('end', () => lost());
    opened.on('notification', ({ payload = '' }) => {
      const change = JSON.parse(payload) as Change;
      for (const listener of listeners) listener.onChange(change);
    });
    try {
      await opened.connect();
      await opened.query(`listen ${CHANNEL}`);
      if (hasBeenLost) for (const listener of listeners) listener.onMissed();
    } catch (error) {
      lost(error as Error);
      await opened.end().catch(() => undefined);
    }
  }

  const ready = connect();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await ready;
      await client?.end().catch(() => undefined);
    },
  };
}
