import type { Db } from '#server/db/database.ts';
import * as store from './store.ts';

const getFileNames = (held: { audioUrl: string | null }[]) => held.map(({ audioUrl }) => audioUrl);

/**
 * Functions for showing and deleting the passages that are shared next to notes. The database deletes a note's
 * agreements with the note, but the caller has to delete their files.
 */
export const notePassages = {
  /** Returns the passages shared next to these notes, by note id. */
  findSharedPassages: (db: Db, noteIds: readonly number[]) => store.findSharedPassages(db, noteIds),
  /**
   * Returns the file names to delete with a note (null for an agreement without a file). The agreements stay
   * locked until the transaction ends.
   */
  lockFilesOfNote: async (tx: Db, noteId: number) => getFileNames(await store.lockPassagesOfNote(tx, noteId)),
  /**
   * Returns the file names to delete with all notes on a melody (null for an agreement without a file). The
   * agreements stay locked until the transaction ends.
   */
  lockFilesOfMelody: async (tx: Db, melodyId: number) =>
    getFileNames(await store.lockPassagesOfMelody(tx, melodyId)),
};
