import type { Order } from './concurrency-limiter.ts';

/** The client that a task runs for. */
export type Turn = {
  account: string;
  address: string;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined;
};

/**
 * Creates an order in which addresses take turns, and so do the accounts of one address. An account whose task runs,
 * or has just ended, comes after the others. When too many tasks wait, the newest one of the busiest address is
 * refused.
 */
export function fairOrder(): Order<Turn> {
  /**
   * Order in which each address, and each of its accounts, joined the round or was last served: the lowest is next.
   */
  const served = new Map<string, number>();
  let now = 0;

  return {
    next(waiting, running) {
      for (const { turn } of waiting)
        for (const key of keysOf(turn)) if (!served.has(key)) served.set(key, (now += 1));
      const rankOf = ({ turn }: { turn: Turn }) => [
        running.filter(({ account }) => account === turn.account).length,
        ...keysOf(turn).map((key) => served.get(key)!),
      ];
      const next = waiting.reduce((best, one) => (isLess(rankOf(one), rankOf(best)) ? one : best));
      for (const key of keysOf(next.turn)) served.set(key, (now += 1));
      const stay = new Set(waiting.flatMap((one) => (one === next ? [] : keysOf(one.turn))));
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

const keysOf = ({ account, address }: Turn) => [address, `${address} ${account}`];

/** Compares two ranks of equal length by the first number that differs. */
function isLess(a: number[], b: number[]) {
  const differ = a.findIndex((value, index) => value !== b[index]);
  return differ !== -1 && a[differ]! < b[differ]!;
}
