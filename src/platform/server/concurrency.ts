/** Runs at most `most` of the tasks that it is given at once; the others wait their turn. */
export function concurrency(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
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
