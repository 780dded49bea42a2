import { AppError } from '#shared/errors.ts';

type KeySlots = { taken: number; waiting: (() => void)[] };

type Options = {
  atOnce: number;
  waiting: number;
  waitMs: number;
  /** How long a slot stays empty after a task of this duration, in ms. */
  restAfter?: (key: string, took: number) => number;
};

/**
 * Runs a limited number of tasks per key at once. Others wait for a while.
 * @param refusal thrown when too many wait already, or one has waited too long
 */
export function slotsForEach(
  { atOnce, waiting, waitMs, restAfter = () => 0 }: Options,
  refusal: () => Error = tooManyRequests,
) {
  const keys = new Map<string, KeySlots>();

  function slot(places: KeySlots, signal: AbortSignal): Promise<void> {
    if (places.taken < atOnce) {
      places.taken += 1;
      return Promise.resolve();
    }
    if (places.waiting.length >= waiting) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abandon);
        places.waiting = places.waiting.filter((one) => one !== enter);
      };
      const enter = () => {
        leave();
        resolve();
      };
      const abandon = () => {
        leave();
        reject(refusal());
      };
      const timer = setTimeout(abandon, waitMs);
      signal.addEventListener('abort', abandon, { once: true });
      places.waiting.push(enter);
      if (signal.aborted) abandon();
    });
  }

  /** @param signal aborts the waiting, not a running task */
  return async function run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const places = keys.get(key) ?? { taken: 0, waiting: [] };
    keys.set(key, places);
    await slot(places, signal);
    const begunAt = performance.now();
    const handOn = () => {
      // Handed over rather than released, so that a newcomer can't jump the queue.
      const [next] = places.waiting;
      if (next) next();
      else places.taken -= 1;
      if (places.taken === 0) keys.delete(key);
    };
    try {
      return await task();
    } finally {
      const rest = restAfter(key, performance.now() - begunAt);
      if (rest > 0) setTimeout(handOn, rest);
      else handOn();
    }
  };
}

/**
 * The cooldown after a task that keeps each key within its share of the time.
 * @param burstMs what a rested key may use without a cooldown
 * @param longestMs the maximum, also after a very long task
 */
export function restsOf({
  share,
  burstMs,
  longestMs,
}: {
  share: number;
  burstMs: number;
  longestMs: number;
}) {
  /** When each key will have made up for what it used. */
  const evenAt = new Map<string, number>();

  return function restAfter(key: string, took: number): number {
    const now = performance.now();
    for (const [each, at] of evenAt) if (at <= now) evenAt.delete(each);
    const allowance = burstMs / share;
    const at = Math.min(Math.max(evenAt.get(key) ?? 0, now) + took / share, now + allowance + longestMs);
    evenAt.set(key, at);
    return Math.max(0, at - now - allowance);
  };
}

export const TOO_MANY_REQUESTS = 'Too many requests at once. Please try again in a moment.';

const tooManyRequests = () => new AppError('too-many', TOO_MANY_REQUESTS, { retryAfter: 5 });
