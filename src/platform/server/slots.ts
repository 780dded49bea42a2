type Places = { taken: number; waiting: (() => void)[] };

/**
 * Runs so many tasks of each key at once. Others wait for a while.
 * @param refusal what is thrown when too many wait already, or one has waited too long
 */
export function slotsForEach(
  { atOnce, waiting, waitMs }: { atOnce: number; waiting: number; waitMs: number },
  refusal: () => Error,
) {
  const keys = new Map<string, Places>();

  function slot(places: Places, signal: AbortSignal): Promise<void> {
    if (places.taken < atOnce) {
      places.taken += 1;
      return Promise.resolve();
    }
    if (places.waiting.length >= waiting) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        places.waiting = places.waiting.filter((one) => one !== enter);
      };
      const enter = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(refusal());
      };
      const timer = setTimeout(giveUp, waitMs);
      signal.addEventListener('abort', giveUp, { once: true });
      places.waiting.push(enter);
      if (signal.aborted) giveUp();
    });
  }

  /** @param signal gives up waiting; a task that runs is not ended by it */
  return async function run<T>(key: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const places = keys.get(key) ?? { taken: 0, waiting: [] };
    keys.set(key, places);
    await slot(places, signal);
    try {
      return await task();
    } finally {
      // A slot is handed on, not given back, so that a newcomer can't slip in between.
      const [next] = places.waiting;
      if (next) next();
      else places.taken -= 1;
      if (places.taken === 0) keys.delete(key);
    }
  };
}
