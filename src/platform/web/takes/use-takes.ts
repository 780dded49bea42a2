import { useEffect, useState } from 'react';
import { useUser } from '../session.ts';
import type { StoredRecording } from './stored-recording.ts';
import { openTakeStore, type TakeStore } from './take-store.ts';

let opened: TakeStore | undefined;

/** The one store of this tab. */
export const takeStore = (): TakeStore => (opened ??= openTakeStore());

/** A device that will not forget keeps it; it is offered again. */
export const removeTake = (id: string): Promise<void> =>
  takeStore()
    .remove(id)
    .catch(() => undefined);

/**
 * What this person's device keeps for a purpose, oldest first; undefined until that is known. Follows changes, also
 * of other tabs. A device that keeps nothing has nothing.
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
 * What a take has become that is not on the device: 'sent' to the server; 'gone', discarded in another tab as far as
 * anyone knows; or 'unreadable', as is all that the device keeps.
 */
export type LostTake = 'sent' | 'gone' | 'unreadable';

/** One take as it is now; undefined until anything is known. */
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
      // The same one again is looked up anew.
      setKnown(undefined);
    };
  }, [id]);
  return known?.id === id ? known?.take : undefined;
}
