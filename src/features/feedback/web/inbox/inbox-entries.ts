type Entry = { id: number };

/**
 * What the inbox shows: all that is pending, and what was in it before and is still in use, though it was answered
 * elsewhere or withdrawn meanwhile. Nothing moves away from where it stood.
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
