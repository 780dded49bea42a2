import { useCallback, useState } from 'react';
import type { PendingRecording } from '#features/recordings/contract.ts';
import type { OpenCardRequest } from './reply-card.tsx';
import type { InboxCommand } from './keys/shortcuts.ts';

/** Tracks which card is open. Initially, it is the first card. */
export function useOpenCard(ids: readonly number[]) {
  const [known, setKnown] = useState<{ ids: readonly number[]; openId: number | null }>({
    ids: [],
    openId: null,
  });
  const [opening, setOpening] = useState<OpenCardRequest | null>(null);
  const openId = getCurrentOrNextId(known.openId, known.ids, ids);
  // Updates the state during rendering, so that no render is without an open card.
  if (openId !== known.openId || ids.join() !== known.ids.join()) setKnown({ ids, openId });
  const open = useCallback((id: number, ...commands: InboxCommand[]) => {
    setKnown((before) => ({ ...before, openId: id }));
    setOpening({ id, commands });
  }, []);
  return { openId, opening, open };
}

/** Manages the cards of the inbox, in an order that does not change while the teacher works. */
export function useInboxEntries(
  pending: readonly PendingRecording[],
  orphaned: readonly PendingRecording[],
  held: readonly { recordingId: number }[],
) {
  const [inUse, setInUse] = useState<ReadonlySet<number>>(new Set());
  const [released, setReleased] = useState<ReadonlySet<number>>(new Set());
  const [entries, setEntries] = useState<readonly PendingRecording[]>([]);
  const [commands] = useState(() => new Map<number, (command: InboxCommand) => void>());

  const left = orphaned.filter(({ id }) => !released.has(id) && !entries.some((entry) => entry.id === id));
  const mustStay = (id: number) =>
    !released.has(id) && (inUse.has(id) || orphaned.some((entry) => entry.id === id));
  const isHeld = (id: number) => held.some(({ recordingId }) => recordingId === id);
  const wanted = pending.filter(({ id }) => !released.has(id) && !isHeld(id));
  const next = mergeInboxEntries([...left, ...entries], wanted, mustStay);
  // Updates the state during rendering, because a card that was unmounted even for a moment would lose its own
  // state.
  if (!areInboxEntriesEqual(next, entries)) setEntries(next);

  const use = useCallback(
    (id: number, isUsed: boolean) => setInUse((before) => setMembership(before, id, isUsed)),
    [],
  );
  const release = useCallback((id: number) => setReleased((before) => setMembership(before, id, true)), []);
  /** Shows a card again after its reply was undone. */
  const restore = useCallback((id: number) => setReleased((before) => setMembership(before, id, false)), []);
  return { entries: next, inUse, use, release, restore, commands };
}

function setMembership(set: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> {
  if (set.has(id) === isIn) return set;
  const next = new Set(set);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}

type Entry = { id: number };

/**
 * Returns the entries of the inbox: all pending recordings, and recordings that are still in use although they
 * were answered elsewhere or withdrawn. Entries keep their order. New entries are inserted in the order of
 * `pending`.
 */
export function mergeInboxEntries<E extends Entry>(
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
    // Inserts the entry after its predecessor. The first entry has none, so it goes before the next entry
    // that is already shown. This puts a recording whose reply was undone back in its old place.
    const first = index === 0 ? placeOf(pending.find(({ id }) => known.has(id))) : -1;
    const at = index > 0 ? placeOf(pending[index - 1]) + 1 : first === -1 ? stayed.length : first;
    stayed.splice(at, 0, entry);
  });
  return stayed;
}

/**
 * Returns `current` or, if it was removed, the id of the next entry, or of the last if there is no next
 * entry. If `current` is null, returns the first id. Returns null if there are no entries.
 * @param before the ordered ids before `current` was removed
 */
export function getCurrentOrNextId(
  current: number | null,
  before: readonly number[],
  ids: readonly number[],
) {
  if (current !== null && ids.includes(current)) return current;
  const behind = before.slice(before.indexOf(current ?? -1) + 1);
  return behind.find((id) => ids.includes(id)) ?? (current === null ? ids[0] : ids.at(-1)) ?? null;
}

/** Returns whether both have the same entries in the same order. */
export const areInboxEntriesEqual = <E extends Entry>(a: readonly E[], b: readonly E[]) =>
  a.length === b.length && a.every((entry, index) => entry === b[index]);
