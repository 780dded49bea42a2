import type { Db } from '#server/db/database.ts';
import * as store from './store.ts';

const files = (held: { audioUrl: string | null }[]) => held.map(({ audioUrl }) => audioUrl);

/** What becomes of passages when their notes are shown or go; agreements go with their note by themselves. */
export const passagesAlongNotes = {
  /** The passages that are heard with these notes, by note. */
  heardWith: (db: Db, noteIds: readonly number[]) => store.findHeard(db, noteIds),
  /** The files to delete with a note, locked until the transaction ends. */
  filesOfNote: async (tx: Db, noteId: number) => files(await store.holdOfNote(tx, noteId)),
  /** The files to delete with all notes of a melody, likewise. */
  filesOfMelody: async (tx: Db, melodyId: number) => files(await store.holdOfMelody(tx, melodyId)),
};
