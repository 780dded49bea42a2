/** Number of old versions to keep, because a page that has been open for days must still find its chunks. */
const MAX_OLD_SHELLS = 3;

export const getShellCacheName = (version: string) => `shell ${version}`;

/**
 * Returns the names of shell caches that are no longer needed.
 * @param names all cache names, the oldest first
 */
export const findStaleShellCaches = (names: readonly string[], newest: string) =>
  names.filter((name) => name.startsWith(getShellCacheName('')) && name !== newest).slice(0, -MAX_OLD_SHELLS);
