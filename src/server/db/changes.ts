import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { LivePath } from '#shared/live.ts';
import type { ConnectionSettings, Db } from './database.ts';
import { listenOnChannel } from './listening.ts';
import type { Log } from '../log.ts';

/** A notification that some users' open pages should refetch certain paths. It contains no data. */
export type ChangeNotification = {
  /** One or more user ids, or {@link ALL_ADMINS}. */
  to: string | readonly string[];
  /** Paths that are stale, including all paths below them. */
  refreshes: readonly LivePath[];
};

/** A change with its id. Ids are random, so that they don't reveal the number of changes. */
type ReceivedChange = ChangeNotification & { id: string };

export const ALL_ADMINS = 'admins';

const CHANNEL = 'changes';

/**
 * Maximum number of user ids per notification. A NOTIFY payload is limited to 8,000 bytes, and an id takes 36.
 */
const MAX_USERS_PER_NOTIFICATION = 150;

/** Maximum number of recent changes in each process's memory. Each change takes at most a few kilobytes. */
const MAX_KEPT_CHANGES = 1_000;

/**
 * Notifies all processes of a change for the users in `to` when the transaction commits, or never if it rolls
 * back. The notification also makes the processes recheck access for these users' open responses, so every
 * revocation must be announced to the users it concerns.
 */
export async function announceChange(tx: Db, { to, refreshes }: ChangeNotification): Promise<void> {
  const everyone = [to].flat();
  for (let offset = 0; offset < everyone.length; offset += MAX_USERS_PER_NOTIFICATION) {
    const change: ReceivedChange = {
      id: randomUUID(),
      to: everyone.slice(offset, offset + MAX_USERS_PER_NOTIFICATION),
      refreshes,
    };
    await tx.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(change)})`);
  }
}

/**
 * Returns an SQL expression for statements that revoke a user's access. It makes every process recheck the
 * user's open responses, but doesn't make pages refetch anything.
 */
export const buildAccessRecheckSql = (userId: SQL): SQL =>
  sql`pg_notify(${CHANNEL}, json_build_object('id', gen_random_uuid(), 'to', ${userId}, 'refreshes', json_build_array())::text)`;

/**
 * User ids of each change, as a set. Cached because a change may name hundreds of users and is checked for each
 * of thousands of open pages.
 */
const recipients = new WeakMap<ChangeNotification, ReadonlySet<string>>();

/** Returns whether a change concerns this user. */
export function isChangeForUser(
  change: ChangeNotification,
  { id, role }: { id: string; role: string },
): boolean {
  let to = recipients.get(change);
  if (!to) recipients.set(change, (to = new Set([change.to].flat())));
  return to.has(id) || (role === 'admin' && to.has(ALL_ADMINS));
}

export type ChangeListener = {
  onChange(change: ReceivedChange): void;
  /** Called when the connection is restored after a loss. Anything may have changed in between. */
  onMissed(): void;
};

export type ChangeFeed = {
  /** @returns a function that unsubscribes */
  listen(listener: ChangeListener): () => void;
  /**
   * Returns the id of the last change received; null if none has been received since the connection began. A
   * change has the same id in all processes. Anything read from the database after this call contains all
   * changes up to that one.
   */
  position(): string | null;
  /**
   * Returns all changes after a position, in order; null if the position is unknown to this process, or too
   * old.
   */
  since(position: string | null): ChangeNotification[] | null;
  close(): Promise<void>;
};

/**
 * Subscribes to changes from all processes on the same database, and buffers the most recent ones. PostgreSQL
 * delivers them to all processes in the order of their commits, each after its data has become visible.
 */
export function openChangeFeed(connection: ConnectionSettings, log: Log): ChangeFeed {
  const listeners = new Set<ChangeListener>();
  let recentChanges: ReceivedChange[] = [];
  let hasBegun = false;
  const listening = listenOnChannel(
    CHANNEL,
    connection,
    {
      onNotice(payload) {
        const change = JSON.parse(payload) as ReceivedChange;
        recentChanges.push(change);
        if (recentChanges.length > MAX_KEPT_CHANGES) recentChanges.shift();
        for (const listener of listeners) listener.onChange(change);
      },
      onBegin(notify) {
        recentChanges = [];
        // Announces a change that concerns no user, so that there is a position before anything has changed.
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
    position: () => recentChanges.at(-1)?.id ?? null,
    since(position) {
      const at = recentChanges.findLastIndex(({ id }) => id === position);
      return at < 0 ? null : recentChanges.slice(at + 1);
    },
    close: () => listening.stop(),
  };
}
