/** Looks one thing up, together with others that are asked for at the same time. */
export type Lookup<K, V> = (key: K) => Promise<V>;

/** A slow query must not hold up everyone: while it runs, others go on. */
const AT_ONCE = 3;

/** Keeps statements, and what a failed one takes along, small. */
const MOST_IN_ONE = 200;

type Asked<K, V> = { key: K } & PromiseWithResolvers<V>;

/**
 * Lets lookups share a query, which costs hardly more for many than for one. A lookup that finds a free place begins at
 * once; what is asked for while all places are taken goes along with the next query. Each query begins after everything
 * that it answers was asked for, so that nothing is answered from the past.
 * @param lookUp answers in the order of its keys
 */
export function inBatches<K, V>(lookUp: (keys: readonly K[]) => Promise<readonly V[]>): Lookup<K, V> {
  let running = 0;
  const waiting: Asked<K, V>[] = [];

  async function run() {
    running += 1;
    // What is asked for in the same moment shares the first query too.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST_IN_ONE);
      try {
        const found = await lookUp(batch.map(({ key }) => key));
        batch.forEach(({ resolve }, at) => resolve(found[at]!));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running -= 1;
  }

  return (key) => {
    const asked = { key, ...Promise.withResolvers<V>() };
    waiting.push(asked);
    if (running < AT_ONCE) void run();
    return asked.promise;
  };
}
