/** Looks one thing up, together with others that are asked for at the same time. */
export type Lookup<K, V> = (key: K) => Promise<V>;

/** A query that takes longer than this, in ms, holds up nobody else … */
const SLOW_MS = 50;

/** … unless so many are slow at the same time. */
const MOST_AT_ONCE = 4;

/** Keeps statements, and what a failed one takes along, small. */
const MOST_IN_ONE = 200;

type Asked<K, V> = { key: K } & PromiseWithResolvers<V>;

/**
 * Lets lookups share a query, which costs hardly more for many than for one: while one is under way, what is asked for
 * waits, and goes along with the next. Each query begins after everything that it answers was asked for, so that
 * nothing is answered from the past.
 * @param lookUp answers in the order of its keys
 */
export function inBatches<K, V>(lookUp: (keys: readonly K[]) => Promise<readonly V[]>): Lookup<K, V> {
  const waiting: Asked<K, V>[] = [];
  let running = 0;
  let slow = 0;

  function begin() {
    if (waiting.length > 0 && running === slow && running < MOST_AT_ONCE) void run();
  }

  async function run() {
    running += 1;
    // What is asked for in the same turn of the event loop goes along.
    await new Promise(setImmediate);
    const batch = waiting.splice(0, MOST_IN_ONE);
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      slow += 1;
      begin();
    }, SLOW_MS);
    try {
      const found = await lookUp(batch.map(({ key }) => key));
      batch.forEach(({ resolve }, at) => resolve(found[at]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    clearTimeout(timer);
    running -= 1;
    if (isSlow) slow -= 1;
    begin();
  }

  return (key) => {
    const asked = { key, ...Promise.withResolvers<V>() };
    waiting.push(asked);
    begin();
    return asked.promise;
  };
}
