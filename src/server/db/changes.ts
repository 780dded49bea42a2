import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { LiveAddress } from '#shared/live.ts';
import type { Connection, Db } from './database.ts';
import { listenOn } from './listening.ts';
import type { Log } from '../log.ts';

/** Whose open pages should refetch, and what. Says that something changed, never what it is now. */
export type Change = {
  /** One or several user ids, or all admins. */
  to: string | readonly string[];
  /** Paths whose responses, and everything below them, are stale. */
  refreshes: readonly LiveAddress[];
};

/** As it is heard. The ids are random, so that none tells how much has happened. */
type HeardChange = Change & { id: string };

export const ADMINS = 'admins';

const CHANNEL = 'changes';

/** A NOTIFY payload holds 8,000 bytes, an id is 36 long. */
const MOST_IN_ONE = 150;

/** How many of the last changes each process keeps, some kilobytes each at most. */
const KEPT = 1_000;

/**
 * Notifies all processes of a change when the transaction commits, and nobody when it rolls back. Authorization of open
 * responses is checked again: whatever revokes a right has to notify those who had it.
 */
export async function announceChange(tx: Db, { to, refreshes }: Change): Promise<void> {
  const everyone = [to].flat();
  for (let told = 0; told < everyone.length; told += MOST_IN_ONE) {
    const change: HeardChange = { id: randomUUID(), to: everyone.slice(told, told + MOST_IN_ONE), refreshes };
    await tx.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(change)})`);
  }
}

/** For a statement that revokes a user's rights: a change that makes no response stale. */
export const lookAgain = (userId: SQL): SQL =>
  sql`pg_notify(${CHANNEL}, json_build_object('id', gen_random_uuid(), 'to', ${userId}, 'refreshes', json_build_array())::text)`;

/** A change may name hundreds of users, and is compared with each of thousands of open pages. */
const recipients = new WeakMap<Change, ReadonlySet<string>>();

/** Whether a change concerns this user. */
export function concerns(change: Change, { id, role }: { id: string; role: string }): boolean {
  let to = recipients.get(change);
  if (!to) recipients.set(change, (to = new Set([change.to].flat())));
  return to.has(id) || (role === 'admin' && to.has(ADMINS));
}

export type ChangeListener = {
  onChange(change: HeardChange): void;
  /** The connection was lost for a while: anything may have changed. */
  onMissed(): void;
};

export type ChangeFeed = {
  /** @returns unsubscribes */
  listen(listener: ChangeListener): () => void;
  /**
   * The id of the last change heard, the same for all processes: whatever is read from the database after this call
   * contains all changes up to it. Null while none is known.
   */
  position(): string | null;
  /** All changes after a position, in their order; null if it is not known here, or no longer. */
  since(position: string | null): Change[] | null;
  close(): Promise<void>;
};

/**
 * Receives changes from every process on the same database, and keeps the last of them. PostgreSQL delivers them to all
 * in the order of their commits, each when what it changed can be read.
 */
export function openChangeFeed(connection: Connection, log: Log): ChangeFeed {
  const listeners = new Set<ChangeListener>();
  let kept: HeardChange[] = [];
  let hasBegun = false;
  const listening = listenOn(
    CHANNEL,
    connection,
    {
      onNotice(payload) {
        const change = JSON.parse(payload) as HeardChange;
        kept.push(change);
        if (kept.length > KEPT) kept.shift();
        for (const listener of listeners) listener.onChange(change);
      },
      onBegin(notify) {
        kept = [];
        // One that concerns nobody, so that there is a position before anything has changed.
        notify(JSON.stringify({ id: randomUUID(), to: [], refreshes: [] } satisfies HeardChange));
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
    position: () => kept.at(-1)?.id ?? null,
    since(position) {
      const at = kept.findLastIndex(({ id }) => id === position);
      return at < 0 ? null : kept.slice(at + 1);
    },
    close: () => listening.stop(),
  };
}
