import type { Db } from '#server/db/database.ts';
import * as store from './store.ts';

const files = (held: { audioUrl: string | null }[]) => held.map(({ audioUrl }) => audioUrl);

/** Passages shared with notes, for showing and deleting the notes. The database deletes the agreements with their note. */
export const passagesAlongNotes = {
  /** Returns the passages shared with these notes, by note. */
  heardWith: (db: Db, noteIds: readonly number[]) => store.findHeard(db, noteIds),
  /** Returns the files to delete with a note. Their rows stay locked until the transaction ends. */
  filesOfNote: async (tx: Db, noteId: number) => files(await store.holdOfNote(tx, noteId)),
  /** Returns the files to delete with all notes of a melody. Their rows stay locked until the transaction ends. */
  filesOfMelody: async (tx: Db, melodyId: number) => files(await store.holdOfMelody(tx, melodyId)),
};
