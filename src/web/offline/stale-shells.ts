/** How many versions stay beside the newest: a page that has been open for days still finds its parts. */
const KEPT = 3;

export const shellName = (version: string) => `shell ${version}`;

/** Which caches are no longer needed. @param names of all caches, the oldest first */
export const staleShells = (names: readonly string[], newest: string) =>
  names.filter((name) => name.startsWith(shellName('')) && name !== newest).slice(0, -KEPT);
