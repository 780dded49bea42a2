import { useEffect, useState } from 'react';
import { useUser } from '#web/api/session.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { openTakeStore, type TakeStore } from './take-store.ts';

let opened: TakeStore | undefined;

/** Returns the one store of this tab. */
export const takeStore = (): TakeStore => (opened ??= openTakeStore());

/** Removes a take. If the device fails to remove it, it is offered again. */
export const removeTake = (id: string): Promise<void> =>
  takeStore()
    .remove(id)
    .catch(() => undefined);

/**
 * Returns the user's takes on this device for a purpose, oldest first; undefined until they are loaded. Updates on
 * changes, also from other tabs. Empty if the device's storage fails.
 */
export function useTakes(purpose: string): readonly StoredRecording[] | undefined {
  const { id } = useUser();
  const [takes, setTakes] = useState<readonly StoredRecording[]>();
  useEffect(() => {
    let isHere = true;
    const show = (all: readonly StoredRecording[]) => {
      if (isHere) setTakes(all.filter((take) => take.purpose === purpose));
    };
    const load = () =>
      void takeStore()
        .listOf(id)
        .then(show, () => show([]));
    load();
    const leave = takeStore().subscribe(load);
    return () => {
      isHere = false;
      leave();
    };
  }, [id, purpose]);
  return takes;
}

/**
 * Why a take can't be loaded. 'sent': it was sent to the server. 'gone': it was discarded in another tab, as far as
 * this one knows. 'unreadable': the device's storage fails.
 */
export type LostTake = 'sent' | 'gone' | 'unreadable';

/** Returns the current state of a take; undefined until it is loaded. */
export function useTake(id: string | null): StoredRecording | LostTake | undefined {
  const [known, setKnown] = useState<{ id: string; take: StoredRecording | LostTake }>();
  useEffect(() => {
    if (id === null) return;
    let isHere = true;
    const show = (take: StoredRecording | LostTake) => {
      if (isHere) setKnown({ id, take });
    };
    const load = () =>
      void takeStore()
        .get(id)
        .then(
          (take) => show(take ?? (takeStore().wasSent(id) ? 'sent' : 'gone')),
          () => show('unreadable'),
        );
    load();
    const leave = takeStore().subscribe(load);
    return () => {
      isHere = false;
      leave();
      // If the same id returns, the take is loaded again.
      setKnown(undefined);
    };
  }, [id]);
  return known?.id === id ? known?.take : undefined;
}
