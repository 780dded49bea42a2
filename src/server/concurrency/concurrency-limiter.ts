import { AppError } from '#shared/errors.ts';

/** A queued task. `turn` describes its client, which determines the order of tasks. */
type QueuedTask<Turn> = { turn: Turn; start(): void; refuse(): void };

/** Decides the order of queued tasks. */
export type QueueOrder<Turn> = {
  /** Returns the task to start next. */
  next<W extends { turn: Turn }>(waiting: readonly W[], running: readonly Turn[]): W;
  /** Returns the task to reject when too many wait. */
  excess<W extends { turn: Turn }>(waiting: readonly W[]): W;
};

type AnyClient = { signal?: AbortSignal | undefined };

type Limits = {
  /** Maximum number of running tasks. */
  maxConcurrent: number;
  maxQueued?: number;
  maxWaitMs?: number;
  /**
   * Creates the error for a task that never runs, because too many wait, it waited too long, or its signal was
   * aborted.
   */
  createError?: () => Error;
};

type LimiterOptions<Turn> = Limits & {
  order?: QueueOrder<Turn>;
  /** Returns how long a slot stays empty after a task of this duration, in ms. */
  cooldown?: (tookMs: number) => number;
  /** Called when no task is running or waiting and no slot is cooling down. */
  onIdle?: () => void;
};

/**
 * Creates a function that runs a limited number of tasks concurrently and queues the others, by default in
 * order of arrival.
 */
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
      // The slot is handed over rather than released, so that a new task can't jump the queue. The ending task
      // still counts as running here, because a fair order would otherwise give a single slot to the same
      // account again.
      const next = order.next(waiting, running);
      running.push(next.turn);
      next.start();
    } else taken -= 1;
    running.splice(running.indexOf(turn), 1);
    if (taken === 0) onIdle?.();
  }

  /** @param turn contains a signal that aborts the wait, but not a running task */
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

/**
 * Creates a function that limits how many tasks with the same key run concurrently. Tasks with different keys
 * don't wait for each other.
 */
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

  /** @param signal aborts the wait, but not a running task */
  return <T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    limiterOf(key)(task, { signal });
}

/**
 * Creates a function that returns the cooldown after a task, in ms. The cooldowns limit the tasks of each key
 * to `share` of the time.
 * @param burstMs time that a key may use without a cooldown after it has been idle
 * @param maxMs maximum cooldown, even after a very long task
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
  /** Time at which the average use of each key will have fallen back to `share`. */
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

export const TOO_MANY_REQUESTS_MESSAGE = 'Too many requests at once. Please try again in a moment.';

const tooManyRequestsError = () => new AppError('too-many', TOO_MANY_REQUESTS_MESSAGE, { retryAfter: 5 });
