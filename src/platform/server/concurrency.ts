import { AppError } from '../contract/errors.ts';

/** Runs a task in its turn; a task whose signal is aborted while it waits is never run. */
export type Turns = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Runs at most `most` of the tasks that it is given at once; the others wait their turn.
 * @param mostWaiting of which one more is refused
 * @throws AppError 'unavailable' for that one; from a task given up while it waited, its signal's reason
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
      // A turn is handed on, not given back, so that a newcomer can't slip in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

const TOO_BUSY = 'The server is busy just now. Please try again in a moment.';

/** Runs the tasks of one key one after the other, and those of different keys side by side. */
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
