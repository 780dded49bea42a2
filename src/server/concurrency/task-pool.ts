export type TaskPool = ReturnType<typeof createTaskPool>;

/**
 * Runs tasks that are produced one after another, up to `maxConcurrent` at a time. After a failure, starts no
 * further tasks.
 */
export function createTaskPool(maxConcurrent: number) {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;

  function throwIfFailed() {
    if (failure) throw failure.error;
  }

  return {
    /**
     * Waits until fewer than `maxConcurrent` tasks run, then starts the task. Doesn't wait for it.
     * @throws the error of the first task that failed
     */
    async add(task: () => Promise<void>): Promise<void> {
      while (running.size >= maxConcurrent) await Promise.race(running);
      throwIfFailed();
      const run = task()
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => running.delete(run));
      running.add(run);
    },

    /**
     * Waits until no task runs.
     * @throws the error of the first task that failed
     */
    async drain(): Promise<void> {
      await Promise.all(running);
      throwIfFailed();
    },

    /** Waits until no task runs, whether or not any failed. */
    async settle(): Promise<void> {
      await Promise.all(running);
    },
  };
}
