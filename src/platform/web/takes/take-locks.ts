// Web locks say which takes a living tab is busy with: the browser drops them with the tab, however it ends.
// Where there are none (an insecure page), nothing is recorded either, so that nothing is held.

const lockOf = (id: string) => `take ${id}`;

/**
 * Says to all tabs that this one is busy with a take.
 * @param onFree called once it was let go and others may have it
 * @returns lets go
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
 * As {@link holdTake}, unless another tab holds it.
 * @returns lets go; null when another tab is busy with it
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

/** The ids among these that no living tab is busy with. */
export async function notHeld(ids: readonly string[]): Promise<Set<string>> {
  const { held = [] } = (await locks()?.query()) ?? {};
  const names = new Set(held.map(({ name }) => name));
  return new Set(ids.filter((id) => !names.has(lockOf(id))));
}

/**
 * Runs `work` while no other tab runs work of this name; waits for its turn, which comes also when the other tab
 * dies. Without locks there is one tab as far as we can know.
 */
export async function aloneAt(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const manager = locks();
  if (!manager) return work();
  await manager.request(name, { signal }, work);
}

const locks = (): LockManager | undefined => (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
