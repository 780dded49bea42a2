import { AppError } from '#shared/errors.ts';

/** On whose behalf a task runs. */
export type Turn = {
  account: string;
  address: string;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined;
};

type Waiting = { account: string; address: string; start(): void; refuse(): void };

/**
 * Runs a few tasks at once. Addresses take turns, and so do the accounts of one address; an account whose task runs, or
 * has just ended, comes after the others.
 * @param waiting length of the queue; beyond it, the newest task of the busiest address is refused
 * @returns rejects with AppError 'unavailable' for a task that was refused, or aborted while queued
 */
export function fairQueue({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  let queue: Waiting[] = [];
  /** Running tasks by account. */
  const running = new Map<string, number>();
  let runningInAll = 0;
  /** When each address, and each account of one, joined the round or was last served: the lowest is next. */
  const served = new Map<string, number>();
  let now = 0;

  function join(one: Waiting) {
    now += 1;
    for (const key of keysOf(one)) if (!served.has(key)) served.set(key, now);
    queue.push(one);
    if (queue.length <= waiting) return;
    const newest = newestOfMost(queue);
    leave(newest);
    newest.refuse();
  }

  function leave(one: Waiting) {
    queue = queue.filter((other) => other !== one);
    const stay = new Set(queue.flatMap(keysOf));
    for (const key of keysOf(one)) if (!stay.has(key)) served.delete(key);
  }

  function startNext() {
    while (runningInAll < atOnce && queue.length > 0) {
      const next = queue.reduce((best, one) => (isBefore(one, best) ? one : best));
      now += 1;
      for (const key of keysOf(next)) served.set(key, now);
      leave(next);
      runningInAll += 1;
      running.set(next.account, runningOf(next) + 1);
      next.start();
    }
  }

  function isBefore(one: Waiting, other: Waiting) {
    const [a, b] = [one, other].map((each) => [
      runningOf(each),
      ...keysOf(each).map((key) => served.get(key)!),
    ]) as [number[], number[]];
    const differ = a.findIndex((value, index) => value !== b[index]);
    return differ !== -1 && a[differ]! < b[differ]!;
  }

  const runningOf = ({ account }: Turn) => running.get(account) ?? 0;

  function finish(turn: Turn) {
    runningInAll -= 1;
    // While this one still counts: with a single slot, the next would otherwise be of the same account.
    startNext();
    const left = runningOf(turn) - 1;
    if (left > 0) running.set(turn.account, left);
    else running.delete(turn.account);
  }

  const turnOf = ({ account, address, signal }: Turn) =>
    new Promise<void>((start, reject) => {
      const refuse = () => reject(tooBusy());
      const one = { account, address, start, refuse };
      if (signal?.aborted) return refuse();
      // A no-op once it has started.
      signal?.addEventListener('abort', () => {
        leave(one);
        refuse();
      });
      join(one);
      startNext();
    });

  return async function run<T>(turn: Turn, task: () => Promise<T>): Promise<T> {
    await turnOf(turn);
    try {
      return await task();
    } finally {
      finish(turn);
    }
  };
}

const keysOf = ({ account, address }: Turn) => [address, `${address} ${account}`];

function newestOfMost(queue: Waiting[]): Waiting {
  const counts = new Map<string, number>();
  for (const { address } of queue) counts.set(address, (counts.get(address) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return queue.findLast(({ address }) => counts.get(address) === most)!;
}

const tooBusy = () =>
  new AppError(
    'unavailable',
    'Many people are signing in at this moment. Please try again in a few seconds.',
    {
      retryAfter: 5,
    },
  );
