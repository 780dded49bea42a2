import type { QueueOrder } from './concurrency-limiter.ts';

/** The client that a task runs for. */
export type QueueClient = {
  account: string;
  address: string;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined;
};

/**
 * Creates a round-robin order: addresses take turns, and so do the accounts of each address. Accounts with a
 * task that runs, or has just finished, come last. When too many tasks wait, the newest task of the busiest
 * address is rejected.
 */
export function createFairOrder(): QueueOrder<QueueClient> {
  /**
   * For each address and each of its accounts, the sequence number assigned when it started to wait or was
   * last served. The lowest number is served next.
   */
  const served = new Map<string, number>();
  let now = 0;

  return {
    next(waiting, running) {
      for (const { turn } of waiting)
        for (const key of getKeys(turn)) if (!served.has(key)) served.set(key, (now += 1));
      const rankOf = ({ turn }: { turn: QueueClient }) => [
        running.filter(({ account }) => account === turn.account).length,
        ...getKeys(turn).map((key) => served.get(key)!),
      ];
      const next = waiting.reduce((best, one) => (isLowerRank(rankOf(one), rankOf(best)) ? one : best));
      for (const key of getKeys(next.turn)) served.set(key, (now += 1));
      const stay = new Set(waiting.flatMap((one) => (one === next ? [] : getKeys(one.turn))));
      for (const key of served.keys()) if (!stay.has(key)) served.delete(key);
      return next;
    },

    excess(waiting) {
      const counts = new Map<string, number>();
      for (const { turn } of waiting) counts.set(turn.address, (counts.get(turn.address) ?? 0) + 1);
      const most = Math.max(...counts.values());
      return waiting.findLast(({ turn }) => counts.get(turn.address) === most)!;
    },
  };
}

const getKeys = ({ account, address }: QueueClient) => [address, `${address} ${account}`];

/** Compares two ranks of equal length by the first number that differs. */
function isLowerRank(a: number[], b: number[]) {
  const differ = a.findIndex((value, index) => value !== b[index]);
  return differ !== -1 && a[differ]! < b[differ]!;
}
