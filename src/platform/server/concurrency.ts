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
