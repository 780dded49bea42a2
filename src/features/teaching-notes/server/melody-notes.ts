import type { Db } from '#server/db/database.ts';
import * as store from './store.ts';

/**
 * Functions for the notes of a melody that changes or is deleted. Call them only while the melody is locked.
 */
export const melodyNotes = {
  /**
   * Returns the file names to delete with the melody (null for a note without audio). The database deletes
   * the rows.
   */
  listFiles: (tx: Db, melodyId: number) => store.listNoteFiles(tx, melodyId),
  renumberLines: (tx: Db, melodyId: number, moved: (line: number) => number) =>
    store.renumberNoteLines(tx, melodyId, moved),
};
