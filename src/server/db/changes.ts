import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { LiveAddress } from '#shared/live.ts';
import type { Connection, Db } from './database.ts';
import { listenOnChannel } from './listening.ts';
import type { Log } from '../log.ts';

/** A notice that some users' open pages should refetch certain paths. It contains no data. */
export type Change = {
  /** One or several user ids, or all admins. */
  to: string | readonly string[];
  /** Paths whose responses, and everything below them, are stale. */
  refreshes: readonly LiveAddress[];
};

/** A change as received. Ids are random, so that they don't reveal how many changes there were. */
type ReceivedChange = Change & { id: string };

export const ADMINS = 'admins';

const CHANNEL = 'changes';

/** Maximum user ids per notification: a NOTIFY payload is at most 8,000 bytes, and an id is 36 long. */
const MAX_USERS_PER_NOTIFICATION = 150;

/** Number of recent changes that each process keeps, at most a few kilobytes each. */
const MAX_KEPT_CHANGES = 1_000;

/**
 * Notifies all processes of a change when the transaction commits; a rollback notifies none. Also triggers a new
 * authorization check of open responses, so every revocation of a right must notify those who had it.
 */
export async function announceChange(tx: Db, { to, refreshes }: Change): Promise<void> {
  const everyone = [to].flat();
  for (let told = 0; told < everyone.length; told += MAX_USERS_PER_NOTIFICATION) {
    const change: ReceivedChange = {
      id: randomUUID(),
      to: everyone.slice(told, told + MAX_USERS_PER_NOTIFICATION),
      refreshes,
    };
    await tx.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(change)})`);
  }
}

/** Returns SQL for a statement that revokes a user's rights: it announces a change that makes no response stale. */
export const recheckAccess = (userId: SQL): SQL =>
  sql`pg_notify(${CHANNEL}, json_build_object('id', gen_random_uuid(), 'to', ${userId}, 'refreshes', json_build_array())::text)`;

/** Cached because a change may name hundreds of users, and is compared with each of thousands of open pages. */
const recipients = new WeakMap<Change, ReadonlySet<string>>();

/** Returns whether a change concerns this user. */
export function isChangeFor(change: Change, { id, role }: { id: string; role: string }): boolean {
  let to = recipients.get(change);
  if (!to) recipients.set(change, (to = new Set([change.to].flat())));
  return to.has(id) || (role === 'admin' && to.has(ADMINS));
}

export type ChangeListener = {
  onChange(change: ReceivedChange): void;
  /** Called after the connection was lost for a while: anything may have changed. */
  onMissed(): void;
};

export type ChangeFeed = {
  /** @returns a function that unsubscribes */
  listen(listener: ChangeListener): () => void;
  /**
   * Returns the id of the last change received, which is the same in all processes. Anything read from the database
   * after this call contains all changes up to it. Null before the first one.
   */
  position(): string | null;
  /**
   * Returns all changes after a position, in order; null if this process doesn't know the position, or no longer
   * does.
   */
  since(position: string | null): Change[] | null;
  close(): Promise<void>;
};

/**
 * Receives changes from every process on the same database, and keeps the most recent ones. PostgreSQL delivers them
 * to all processes in the order of their commits, each once its data can be read.
 */
export function openChangeFeed(connection: Connection, log: Log): ChangeFeed {
  const listeners = new Set<ChangeListener>();
  let kept: ReceivedChange[] = [];
  let hasBegun = false;
  const listening = listenOnChannel(
    CHANNEL,
    connection,
    {
      onNotice(payload) {
        const change = JSON.parse(payload) as ReceivedChange;
        kept.push(change);
        if (kept.length > MAX_KEPT_CHANGES) kept.shift();
        for (const listener of listeners) listener.onChange(change);
      },
      onBegin(notify) {
        kept = [];
        // Concerns no user. It provides a position before anything has changed.
        notify(JSON.stringify({ id: randomUUID(), to: [], refreshes: [] } satisfies ReceivedChange));
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
