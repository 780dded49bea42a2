/** How many old versions to keep: a page that has been open for days must still find its chunks. */
const KEPT = 3;

export const shellName = (version: string) => `shell ${version}`;

/** Returns the caches that are no longer needed. @param names of all caches, the oldest first */
export const staleShells = (names: readonly string[], newest: string) =>
  names.filter((name) => name.startsWith(shellName('')) && name !== newest).slice(0, -KEPT);
