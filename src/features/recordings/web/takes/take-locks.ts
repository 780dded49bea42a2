// Web locks show which takes an open tab is using: the browser releases them with the tab, however it ends. Insecure
// pages have no locks, but they can't record either, so there is nothing to lock.

const lockOf = (id: string) => `take ${id}`;

/**
 * Locks a take, which shows other tabs that this one is using it.
 * @param onFree called once the take has been released and others may use it
 * @returns a function that releases the take
 */
export function holdTake(id: string, onFree?: () => void): () => void {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  void locks()
    ?.request(lockOf(id), () => held)
    .then(onFree, () => undefined);
  return letGo;
}

/**
 * Like {@link holdTake}, unless another tab holds the take.
 * @returns a function that releases the take; null if another tab is using it
 */
export async function tryToHoldTake(id: string): Promise<(() => void) | null> {
  const manager = locks();
  if (!manager) return () => undefined;
  return new Promise((resolve, reject) => {
    manager
      .request(lockOf(id), { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise<void>((letGo) => resolve(letGo));
      })
      .catch(reject);
  });
}

/** Returns the ids of the takes that no open tab is using. */
export async function notHeld(ids: readonly string[]): Promise<Set<string>> {
  const { held = [] } = (await locks()?.query()) ?? {};
  const names = new Set(held.map(({ name }) => name));
  return new Set(ids.filter((id) => !names.has(lockOf(id))));
}

/**
 * Runs `work` while no other tab runs work of this name; waits until the other tab is done or has died. Without
 * locks, this tab counts as the only one.
 */
export async function aloneAt(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const manager = locks();
  if (!manager) return work();
  await manager.request(name, { signal }, work);
}

const locks = (): LockManager | undefined => (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
