// Web locks show which takes an open tab is using. The browser releases them when the tab is closed or crashes.
// Insecure pages have no locks, so all takes count as unlocked there. Such pages can't record, so they only
// have chosen files.

const getLockName = (id: string) => `take ${id}`;

/**
 * Locks a take, which shows other tabs that this tab is using it.
 * @param onFree called when the take has been released and other tabs may use it
 * @returns a function that releases the take
 */
export function lockTake(id: string, onFree?: () => void): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  void getLockManager()
    ?.request(getLockName(id), () => held)
    .then(onFree, () => undefined);
  return release;
}

/**
 * Locks a take like {@link lockTake}, but only if no other tab has locked it.
 * @returns a function that releases the take, or null if another tab is using it
 */
export async function tryLockTake(id: string): Promise<(() => void) | null> {
  const manager = getLockManager();
  if (!manager) return () => undefined;
  return new Promise((resolve, reject) => {
    manager
      .request(getLockName(id), { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise<void>((releaseLock) => resolve(releaseLock));
      })
      .catch(reject);
  });
}

/** Returns the ids of the takes that no open tab is using. */
export async function findUnlockedTakes(ids: readonly string[]): Promise<Set<string>> {
  const { held = [] } = (await getLockManager()?.query()) ?? {};
  const names = new Set(held.map(({ name }) => name));
  return new Set(ids.filter((id) => !names.has(getLockName(id))));
}

/**
 * Runs `work` while no other tab runs work with the same name. Waits until the other tab has finished or is
 * closed. On a page without locks, this tab counts as the only one.
 */
export async function runExclusively(
  name: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const manager = getLockManager();
  if (!manager) return work();
  await manager.request(name, { signal }, work);
}

const getLockManager = (): LockManager | undefined =>
  (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
