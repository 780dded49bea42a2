import { sql } from 'drizzle-orm';
import type { LiveAddress } from '../contract/live.ts';
import type { Connection, Db } from '../../db/database.ts';
import { listenOn } from './listening.ts';
import type { Log } from './log.ts';

/** Whose open pages should ask again, and for what. It says that something changed, never what. */
export type Change = {
  /** A user's id, or everyone who is an admin. */
  to: string;
  /** Addresses whose answers, and all beneath them, are old. */
  refreshes: readonly LiveAddress[];
};

export const ADMINS = 'admins';

const CHANNEL = 'changes';

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

/** Hears of changes from every process on the same database. */
export function openChangeFeed(connection: Connection, log: Log): ChangeFeed {
  const listeners = new Set<ChangeListener>();
  let hasBegun = false;
  const listening = listenOn(
    CHANNEL,
    connection,
    {
      onNotice(payload) {
        const change = JSON.parse(payload) as Change;
        for (const listener of listeners) listener.onChange(change);
      },
      onBegin() {
        if (hasBegun) for (const listener of listeners) listener.onMissed();
        hasBegun = true;
      },
    },
    log,
  );
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => listening.stop(),
  };
}
