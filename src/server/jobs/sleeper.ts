/** Interruptible sleep. */
export function createSleeper() {
  const waiting = new Set<() => void>();
  // 1 if `wake` was called while nothing was sleeping, so that the next sleep ends immediately; otherwise 0.
  let wasTold = 0;
  return {
    sleep(longestMs: number): Promise<void> {
      if (wasTold > 0) {
        wasTold -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const over = () => {
          clearTimeout(timer);
          waiting.delete(over);
          resolve();
        };
        const timer = setTimeout(over, longestMs);
        waiting.add(over);
      });
    },
    wake() {
      if (waiting.size === 0) wasTold = 1;
      for (const over of [...waiting]) over();
    },
  };
}
