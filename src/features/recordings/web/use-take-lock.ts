import { useEffect } from 'react';
import { lockTake } from './takes/take-locks.ts';
import { getTakeStore } from './takes/use-takes.ts';
import type { RecordingFields } from './commit-take.ts';

/** Delay after the last keystroke before fields are saved, so that not every keystroke is stored. */
const SAVE_DEBOUNCE_MS = 400;

/**
 * Locks the form's take, so that no other tab offers it. Calls `onHeld` with its id after the lock has been
 * requested, or with null if there is no take.
 */
export function useTakeLock(takeId: string | null, onHeld: (takeId: string | null) => void) {
  useEffect(() => {
    const release = takeId === null ? undefined : lockTake(takeId);
    onHeld(takeId);
    return release;
  }, [takeId]); // oxlint-disable-line react/exhaustive-deps
}

/**
 * Saves the text in the form's fields together with the stored recording, so that it is still there when
 * another page offers the recording.
 */
export function useTakeFieldsAutosave(takeId: string | null, sending: RecordingFields) {
  const { title, message, melodyId } = sending;
  useEffect(() => {
    if (takeId === null) return;
    const keep = () =>
      void getTakeStore()
        .change(takeId, { sending: { title, message, melodyId } }, ['recorded'])
        .catch(() => undefined);
    const timer = setTimeout(keep, SAVE_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [takeId, title, message, melodyId]);
}
