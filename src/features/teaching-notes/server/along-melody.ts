import type { Db } from '#server/db/database.ts';
import * as store from './store.ts';

/** Updates a melody's notes when the melody changes or is deleted; must be called while the melody is locked. */
export const notesAlongMelody = {
  /** Returns the files to delete with the melody; the database deletes the rows. */
  filesOf: (tx: Db, melodyId: number) => store.filesOf(tx, melodyId),
  moveLines: (tx: Db, melodyId: number, moved: (line: number) => number) =>
    store.moveLines(tx, melodyId, moved),
};
