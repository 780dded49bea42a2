import { sql, type SQL } from 'drizzle-orm';
import type { LiveAddress } from '../contract/live.ts';
import type { Connection, Db } from '../../db/database.ts';
import { listenOn } from './listening.ts';
import type { Log } from './log.ts';

/** Whose open pages should refetch, and what. Says that something changed, never what it is now. */
export type Change = {
  /** One or several user ids, or all admins. */
  to: string | readonly string[];
  /** Paths whose responses, and everything below them, are stale. */
  refreshes: readonly LiveAddress[];
};

export const ADMINS = 'admins';

const CHANNEL = 'changes';

/** A NOTIFY payload holds 8,000 bytes, an id is 36 long. */
const MOST_IN_ONE = 150;

/**
 * Notifies all processes of a change when the transaction commits, and nobody when it rolls back. Authorization of open
 * responses is checked again: whatever revokes a right has to notify those who had it.
 */
export async function announceChange(tx: Db, { to, refreshes }: Change): Promise<void> {
  const everyone = [to].flat();
  for (let told = 0; told < everyone.length; told += MOST_IN_ONE) {
    const change: Change = { to: everyone.slice(told, told + MOST_IN_ONE), refreshes };
    await tx.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(change)})`);
  }
}

/** For a statement that revokes a user's rights: a change that makes no response stale. */
export const lookAgain = (userId: SQL): SQL =>
  sql`pg_notify(${CHANNEL}, json_build_object('to', ${userId}, 'refreshes', json_build_array())::text)`;

/** Whether a change concerns this user. */
export const concerns = ({ to }: Change, { id, role }: { id: string; role: string }) =>
  [to].flat().some((one) => one === id || (one === ADMINS && role === 'admin'));

export type ChangeListener = {
  onChange(change: Change): void;
  /** The connection was lost for a while: anything may have changed. */
  onMissed(): void;
};

export type ChangeFeed = {
  /** @returns unsubscribes */
  listen(listener: ChangeListener): () => void;
  close(): Promise<void>;
};

/** Receives changes from every process on the same database. */
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
