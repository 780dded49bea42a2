import { AppError } from '#shared/errors.ts';

/** Queues and runs a task; a task whose signal is aborted while queued never runs. */
export type Turns = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Runs at most `most` tasks at once and queues the others.
 * @param mostWaiting length of the queue, beyond which a task is refused
 * @throws AppError 'unavailable' when the queue is full; the signal's reason for a task aborted while queued
 */
export function concurrency(most: number, mostWaiting = Infinity): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];

  function turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (waiting.length >= mostWaiting) throw new AppError('unavailable', TOO_BUSY, { retryAfter: 5 });
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(begin);
    });
  }

  return async function run(task, signal) {
    if (running >= most) await turn(signal);
    else running += 1;
    try {
      return await task();
    } finally {
      // The slot is handed over rather than released, so that a newcomer can't jump the queue.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

const TOO_BUSY = 'The server is busy just now. Please try again in a moment.';

/** Runs the tasks of one key one after the other, and those of different keys in parallel. */
export function oneAtATimeForEach() {
  const queues = new Map<string, { run: ReturnType<typeof concurrency>; waiting: number }>();
  return async function run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const queue = queues.get(key) ?? { run: concurrency(1), waiting: 0 };
    queues.set(key, queue);
    queue.waiting += 1;
    try {
      return await queue.run(task);
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(key);
    }
  };
}
