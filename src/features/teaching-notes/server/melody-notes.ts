import type { Db } from '#server/db/database.ts';
import * as store from './store.ts';

/**
 * Updates a melody's notes when the melody changes or is deleted; call these functions only while the melody is
 * locked.
 */
export const melodyNotes = {
  /** Returns the files to delete with the melody; the database deletes the rows. */
  listFiles: (tx: Db, melodyId: number) => store.listNoteFiles(tx, melodyId),
  renumberLines: (tx: Db, melodyId: number, moved: (line: number) => number) =>
    store.renumberLines(tx, melodyId, moved),
};
