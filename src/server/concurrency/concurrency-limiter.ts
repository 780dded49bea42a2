import { AppError } from '#shared/errors.ts';

/** A queued task and its caller's turn. */
type QueuedTask<Turn> = { turn: Turn; start(): void; refuse(): void };

/** Chooses among queued tasks. */
export type QueueOrder<Turn> = {
  /** Returns the task to start. */
  next<W extends { turn: Turn }>(waiting: readonly W[], running: readonly Turn[]): W;
  /** Returns the task to refuse when too many wait. */
  excess<W extends { turn: Turn }>(waiting: readonly W[]): W;
};

type AnyClient = { signal?: AbortSignal | undefined };

type Limits = {
  /** Maximum number of running tasks. */
  maxConcurrent: number;
  maxQueued?: number;
  maxWaitMs?: number;
  /** Error for a task that never runs: too many wait, it waited too long, or its signal was aborted. */
  createError?: () => Error;
};

type LimiterOptions<Turn> = Limits & {
  order?: QueueOrder<Turn>;
  /** Returns how long a slot stays empty after a task of this duration, in ms. */
  cooldown?: (tookMs: number) => number;
  /** Called when nothing runs, waits or cools down any longer. */
  onIdle?: () => void;
};

/** Runs a limited number of tasks at once and queues the others, by default in order of arrival. */
export function createConcurrencyLimiter<Turn extends AnyClient = AnyClient>({
  maxConcurrent,
  maxQueued = Infinity,
  maxWaitMs = Infinity,
  createError = tooManyRequestsError,
  order = ARRIVAL_ORDER,
  cooldown = () => 0,
  onIdle,
}: LimiterOptions<Turn>) {
  let taken = 0;
  const running: Turn[] = [];
  const waiting: QueuedTask<Turn>[] = [];

  function enqueue(turn: Turn): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        turn.signal?.removeEventListener('abort', refuse);
        waiting.splice(waiting.indexOf(queued), 1);
      };
      const start = () => {
        leave();
        resolve();
      };
      const refuse = () => {
        leave();
        reject(createError());
      };
      const queued = { turn, start, refuse };
      const timer = maxWaitMs < Infinity ? setTimeout(refuse, maxWaitMs) : undefined;
      turn.signal?.addEventListener('abort', refuse, { once: true });
      waiting.push(queued);
      if (turn.signal?.aborted) refuse();
      else if (waiting.length > maxQueued) order.excess(waiting).refuse();
    });
  }

  function release(turn: Turn) {
    if (waiting.length > 0) {
      // The slot is handed over instead of released, so that a new task can't jump the queue. The turn that ends
      // still counts as running: otherwise, with a single slot, the same account would get it again.
      const next = order.next(waiting, running);
      running.push(next.turn);
      next.start();
    } else taken -= 1;
    running.splice(running.indexOf(turn), 1);
    if (taken === 0) onIdle?.();
  }

  /** @param turn its signal aborts the waiting, not a running task */
  return async function run<T>(task: () => Promise<T>, turn = {} as Turn): Promise<T> {
    if (taken >= maxConcurrent) await enqueue(turn);
    else {
      taken += 1;
      running.push(turn);
    }
    const startedAt = performance.now();
    try {
      return await task();
    } finally {
      const restMs = cooldown(performance.now() - startedAt);
      if (restMs > 0) setTimeout(release, restMs, turn);
      else release(turn);
    }
  };
}

const ARRIVAL_ORDER: QueueOrder<unknown> = {
  next: (waiting) => waiting[0]!,
  excess: (waiting) => waiting.at(-1)!,
};

/** Limits how many tasks of each key run at once. Tasks of different keys don't wait for each other. */
export function createKeyedLimiter({
  cooldown,
  ...limits
}: Limits & { cooldown?: (key: string, tookMs: number) => number }) {
  const limiters = new Map<string, ReturnType<typeof createConcurrencyLimiter>>();

  function limiterOf(key: string) {
    const limiter =
      limiters.get(key) ??
      createConcurrencyLimiter({
        ...limits,
        ...(cooldown && { cooldown: (tookMs: number) => cooldown(key, tookMs) }),
        onIdle: () => limiters.delete(key),
      });
    limiters.set(key, limiter);
    return limiter;
  }

  /** @param signal aborts the waiting, not a running task */
  return <T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    limiterOf(key)(task, { signal });
}

/**
 * Returns a function that computes the cooldown after a task, which keeps each key within its share of the time.
 * @param burstMs time that a rested key may use without a cooldown
 * @param maxMs the longest cooldown, even after a very long task
 */
export function createFairShareCooldown({
  share,
  burstMs,
  maxMs,
}: {
  share: number;
  burstMs: number;
  maxMs: number;
}) {
  /** Time at which each key will have made up for its use. */
  const evenAt = new Map<string, number>();

  return function cooldown(key: string, tookMs: number): number {
    const now = performance.now();
    for (const [each, at] of evenAt) if (at <= now) evenAt.delete(each);
    const allowance = burstMs / share;
    const at = Math.min(Math.max(evenAt.get(key) ?? 0, now) + tookMs / share, now + allowance + maxMs);
    evenAt.set(key, at);
    return Math.max(0, at - now - allowance);
  };
}

export const TOO_MANY_REQUESTS = 'Too many requests at once. Please try again in a moment.';

const tooManyRequestsError = () => new AppError('too-many', TOO_MANY_REQUESTS, { retryAfter: 5 });
