/** Number of old versions to keep, because a page that has been open for days must still find its chunks. */
const MAX_OLD_SHELLS = 3;

export const getShellName = (version: string) => `shell ${version}`;

/**
 * Returns the names of shell caches that are no longer needed.
 * @param names all cache names, the oldest first
 */
export const findStaleShells = (names: readonly string[], newest: string) =>
  names.filter((name) => name.startsWith(getShellName('')) && name !== newest).slice(0, -MAX_OLD_SHELLS);
