import { createEventEmitter } from '../store.ts';

const opened = createEventEmitter();

/** Reports that this tab has opened a database. */
export const notifyDatabaseOpened = opened.notify;

/**
 * Calls `listener` as soon as this device may have a database. Until then, no recordings are stored on it.
 * @returns a function that stops waiting
 */
export function onceDatabaseMayExist(listener: () => void): () => void {
  let isWaiting = true;
  const found = () => {
    if (!isWaiting) return;
    stop();
    listener();
  };
  const leave = opened.subscribe(found);
  const stop = () => {
    isWaiting = false;
    leave();
  };
  // Rejects in Firefox before 126 and in some private windows, which can't list databases. A rejection also
  // calls `found`, because a database may exist.
  const isEmpty = async () => (await indexedDB.databases()).length === 0;
  isEmpty().then((none) => none || found(), found);
  return stop;
}
