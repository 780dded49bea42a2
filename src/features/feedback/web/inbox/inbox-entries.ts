type Entry = { id: number };

/**
 * The inbox's entries: all that are pending, and former ones still in use though answered elsewhere or withdrawn
 * meanwhile. Entries keep their order.
 */
export function inboxEntries<E extends Entry>(
  before: readonly E[],
  pending: readonly E[],
  isInUse: (id: number) => boolean,
): E[] {
  const now = new Map(pending.map((entry) => [entry.id, entry]));
  const stayed = before.flatMap((entry) => now.get(entry.id) ?? (isInUse(entry.id) ? [entry] : []));
  const known = new Set(stayed.map(({ id }) => id));
  return [...stayed, ...pending.filter(({ id }) => !known.has(id))];
}

/** The same entries in the same order. */
export const areSame = <E extends Entry>(a: readonly E[], b: readonly E[]) =>
  a.length === b.length && a.every((entry, index) => entry === b[index]);
