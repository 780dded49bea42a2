import { useCallback, useState } from 'react';
import type { PendingRecording } from '#features/recordings/contract.ts';
import { areSame, inboxEntries, stillCurrent } from './inbox-entries.ts';
import type { Opening } from './reply-card.tsx';
import type { Command } from './keys/shortcuts.ts';

/** The card that is open: at first the first one. */
export function useOpenCard(ids: readonly number[]) {
  const [known, setKnown] = useState<{ ids: readonly number[]; openId: number | null }>({
    ids: [],
    openId: null,
  });
  const [opening, setOpening] = useState<Opening | null>(null);
  const openId = stillCurrent(known.openId, known.ids, ids);
  // Adjusted while rendering, so that an open card is there at all times.
  if (openId !== known.openId || ids.join() !== known.ids.join()) setKnown({ ids, openId });
  const open = useCallback((id: number, ...commands: Command[]) => {
    setKnown((before) => ({ ...before, openId: id }));
    setOpening({ id, commands });
  }, []);
  return { openId, opening, open };
}

/** The cards of the inbox, in an order that does not change while the teacher works. */
export function useEntries(
  pending: readonly PendingRecording[],
  orphaned: readonly PendingRecording[],
  held: readonly { recordingId: number }[],
) {
  const [inUse, setInUse] = useState<ReadonlySet<number>>(new Set());
  const [released, setReleased] = useState<ReadonlySet<number>>(new Set());
  const [entries, setEntries] = useState<readonly PendingRecording[]>([]);
  const [commands] = useState(() => new Map<number, (command: Command) => void>());

  const left = orphaned.filter(({ id }) => !released.has(id) && !entries.some((entry) => entry.id === id));
  const isKept = (id: number) =>
    !released.has(id) && (inUse.has(id) || orphaned.some((entry) => entry.id === id));
  const isHeld = (id: number) => held.some(({ recordingId }) => recordingId === id);
  const wanted = pending.filter(({ id }) => !released.has(id) && !isHeld(id));
  const next = inboxEntries([...left, ...entries], wanted, isKept);
  // Adjusted while rendering, so that no card is unmounted for a moment and loses its state.
  if (!areSame(next, entries)) setEntries(next);

  const use = useCallback(
    (id: number, isUsed: boolean) => setInUse((before) => withOrWithout(before, id, isUsed)),
    [],
  );
  const release = useCallback((id: number) => setReleased((before) => withOrWithout(before, id, true)), []);
  /** A reply was taken back. */
  const takeUp = useCallback((id: number) => setReleased((before) => withOrWithout(before, id, false)), []);
  return { entries: next, inUse, use, release, takeUp, commands };
}

function withOrWithout(set: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> {
  if (set.has(id) === isIn) return set;
  const next = new Set(set);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}
