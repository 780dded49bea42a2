/** Interruptible sleep. */
export function createSleeper() {
  const waiting = new Set<() => void>();
  // Number of wake-ups, 0 or 1, that found no sleep to end. The next sleep then ends immediately.
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
