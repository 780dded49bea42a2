import type { Db } from '#server/db/database.ts';
import * as store from './store.ts';

/** What becomes of the notes when their melody changes or goes; to be called under the lock of the melody. */
export const notesAlongMelody = {
  /** The files to delete with the melody; the rows go by themselves. */
  filesOf: (tx: Db, melodyId: number) => store.filesOf(tx, melodyId),
  moveLines: (tx: Db, melodyId: number, moved: (line: number) => number) =>
    store.moveLines(tx, melodyId, moved),
};
