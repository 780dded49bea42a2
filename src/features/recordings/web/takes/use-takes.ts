import { useEffect, useState } from 'react';
import { useUser } from '#web/api/session.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { openTakeStore, type TakeStore } from './take-store.ts';

let openStore: TakeStore | undefined;

/** Returns the tab's only store, which it opens at the first call. */
export const getTakeStore = (): TakeStore => (openStore ??= openTakeStore());

/** Removes a take. If the device fails to remove it, the take is offered again later. */
export const removeTake = (id: string): Promise<void> =>
  getTakeStore()
    .remove(id)
    .catch(() => undefined);

/**
 * Returns the user's takes on this device with this purpose, oldest first, or undefined until they are
 * loaded. Updates when takes change, including in other tabs. Returns an empty list if the device's storage
 * fails.
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
      void getTakeStore()
        .listOf(id)
        .then(show, () => show([]));
    load();
    const leave = getTakeStore().subscribe(load);
    return () => {
      isHere = false;
      leave();
    };
  }, [id, purpose]);
  return takes;
}

/**
 * Why a take can't be loaded. 'sent': it was sent to the server. 'gone': it was discarded, or sent before
 * this tab opened the store. 'unreadable': the device's storage fails.
 */
export type MissingTakeReason = 'sent' | 'gone' | 'unreadable';

/**
 * Returns the current state of a take, or the reason why it can't be loaded. Returns undefined until one of
 * them is known, and if `id` is null.
 */
export function useTake(id: string | null): StoredRecording | MissingTakeReason | undefined {
  const [known, setKnown] = useState<{ id: string; take: StoredRecording | MissingTakeReason }>();
  useEffect(() => {
    if (id === null) return;
    let isHere = true;
    const show = (take: StoredRecording | MissingTakeReason) => {
      if (isHere) setKnown({ id, take });
    };
    const load = () =>
      void getTakeStore()
        .get(id)
        .then(
          (take) => show(take ?? (getTakeStore().wasSent(id) ? 'sent' : 'gone')),
          () => show('unreadable'),
        );
    load();
    const leave = getTakeStore().subscribe(load);
    return () => {
      isHere = false;
      leave();
      // Clears the take, so that it is loaded again if the same id returns.
      setKnown(undefined);
    };
  }, [id]);
  return known?.id === id ? known?.take : undefined;
}
