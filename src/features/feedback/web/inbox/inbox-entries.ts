type Entry = { id: number };

/**
 * The inbox's entries: all that are pending, and former ones still in use though answered elsewhere or withdrawn
 * meanwhile. Entries keep their order, and what comes takes its place among those that wait.
 */
export function inboxEntries<E extends Entry>(
  before: readonly E[],
  pending: readonly E[],
  isInUse: (id: number) => boolean,
): E[] {
  const now = new Map(pending.map((entry) => [entry.id, entry]));
  const stayed = before.flatMap((entry) => now.get(entry.id) ?? (isInUse(entry.id) ? [entry] : []));
  const known = new Set(stayed.map(({ id }) => id));
  const placeOf = (entry: E | undefined) => stayed.findIndex(({ id }) => id === entry?.id);
  pending.forEach((entry, index) => {
    if (known.has(entry.id)) return;
    // Where it waits: one that was taken back comes to its old place.
    const first = index === 0 ? placeOf(pending.find(({ id }) => known.has(id))) : -1;
    const at = index > 0 ? placeOf(pending[index - 1]) + 1 : first === -1 ? stayed.length : first;
    stayed.splice(at, 0, entry);
  });
  return stayed;
}

/**
 * The entry that is worked on: the same one or, once it has left, the one that took its place.
 * @param before the ids, in order, when `current` was last among them
 */
export function stillCurrent(current: number | null, before: readonly number[], ids: readonly number[]) {
  if (current !== null && ids.includes(current)) return current;
  const behind = before.slice(before.indexOf(current ?? -1) + 1);
  return behind.find((id) => ids.includes(id)) ?? (current === null ? ids[0] : ids.at(-1)) ?? null;
}

/** The same entries in the same order. */
export const areSame = <E extends Entry>(a: readonly E[], b: readonly E[]) =>
  a.length === b.length && a.every((entry, index) => entry === b[index]);
