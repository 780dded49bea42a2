import { type Db, violates } from '#server/db/database.ts';
import { isSpent, SHARED, spendKeys } from '#server/db/spent-keys.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { badInput, conflict, notFound } from '#shared/errors.ts';
import type { Media } from '#server/media/keep.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { LevelsService } from '#features/people/levels/server/service.ts';
import { melodyAudioSlot } from '#features/melodies/limits.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import { linesOf, sungLinesOf, wordsOf } from '#features/lyrics/parse.ts';
import { beginningOf } from '../beginning-of.ts';
import type { TeachingNote, teachingNotesApi } from '../contract.ts';
import { TEACHING_NOTE_EMPTY, TEACHING_NOTES_MAX } from '../limits.ts';
import * as store from './store.ts';

export type TeachingNotesService = ReturnType<typeof teachingNotesService>;

type NewNote = BodyOf<typeof teachingNotesApi.add>;
type ChangedNote = BodyOf<typeof teachingNotesApi.change>;
type StudentPassage = NonNullable<TeachingNote['studentPassage']>;
type Viewer = Pick<Caller, 'id' | 'role'>;

/**
 * Manages the teacher's notes on the lines of a melody. Anyone who may hear the melody can read and hear its notes.
 */
export function teachingNotesService(deps: {
  db: Db;
  media: Media;
  melodies: MelodiesService;
  levels: LevelsService;
  /**
   * Returns the file of a mark's voice.
   * @throws AppError 'not-found'
   */
  voiceFileOf: (recordingId: number, voice: string) => Promise<string>;
  /** Students' passages shared with notes. */
  passages: {
    heardWith(db: Db, noteIds: readonly number[]): Promise<Map<number, StudentPassage>>;
    filesOfNote(tx: Db, noteId: number): Promise<(string | null)[]>;
  };
}) {
  const { db, media, melodies, levels, voiceFileOf, passages } = deps;

  async function withPassages<Note extends { id: number }>(notes: readonly Note[]) {
    const heard = await passages.heardWith(
      db,
      notes.map(({ id }) => id),
    );
    return notes.map((note) => {
      const studentPassage = heard.get(note.id);
      return { ...note, ...(studentPassage && { studentPassage }) };
    });
  }

  async function find(id: number) {
    const note = await store.findNote(db, id);
    if (!note) throw noSuchNote();
    return (await withPassages([note]))[0]!;
  }

  /** @throws AppError 'not-found' */
  async function lock(tx: Db, melodyId: number) {
    const melody = await store.lockNotes(tx, melodyId);
    if (!melody) throw notFound('This melody no longer exists.');
    return melody;
  }

  /**
   * Returns the note, locked with its melody until the transaction ends.
   * @throws AppError 'not-found'
   */
  async function lockNote(tx: Db, id: number) {
    const found = await store.findNote(tx, id);
    if (!found) throw noSuchNote();
    const melody = await lock(tx, found.melodyId);
    // It may have been deleted while waiting for the lock.
    const note = await store.findNote(tx, id);
    if (!note) throw noSuchNote();
    return { note, melody };
  }

  return {
    /** @throws AppError 'not-found', also for a melody the viewer may not hear */
    async list(melodyId: number, viewer: Viewer): Promise<TeachingNote[]> {
      await melodies.get(viewer, melodyId);
      return withPassages(await store.listNotes(db, melodyId));
    },

    /**
     * Adds a note. Repeating the call with the same `clientId` adds no second note.
     * @throws AppError 'not-found' for an unknown melody or voice; 'bad-input' if it is empty or there is no such
     * line; 'conflict' if there are too many notes, or if this one was removed since
     */
    async add(
      melodyId: number,
      { clientId, line, lineWords, text, voiceOf, ...rest }: NewNote,
      admin: Viewer,
    ) {
      nothingLeft(rest);
      const made = async () => {
        const note = await store.findByClientId(db, clientId);
        if (note && note.melodyId !== melodyId) throw conflict('This note belongs to another melody.');
        return note && { note: (await withPassages([note]))[0]!, isNew: false };
      };
      const known = await made();
      if (known) return known;
      await melodies.get(admin, melodyId);
      if (text === '' && !voiceOf) throw saysNothing();
      const sound = voiceOf
        ? await media.again(await voiceFileOf(voiceOf.recordingId, voiceOf.voice), melodyAudioSlot)
        : null;
      try {
        const id = await media.saveInTransaction(sound ? [sound] : [], async (tx) => {
          await melodies.closeImportOf(tx, melodyId);
          const melody = await lock(tx, melodyId);
          mustBeLine(melody, line, lineWords);
          if ((await store.countNotes(tx, melodyId)) >= TEACHING_NOTES_MAX) throw tooMany();
          const audioUrl = sound?.row.name ?? null;
          const added = await store.insertNote(tx, { melodyId, clientId, line, text, audioUrl });
          if (await isSpent(tx, SHARED, clientId)) throw removedBefore();
          await levels.tellOfMelodies(tx, [melody.levelId]);
          return added;
        });
        return { note: await find(id), isNew: true };
      } catch (error) {
        // A concurrent call with the same `clientId` won.
        const other = violates(error, 'teaching_notes_client_id_unique') ? await made() : null;
        if (other) return other;
        throw error;
      }
    },

    /** @throws AppError 'not-found'; 'bad-input' if it would be empty or there is no such line */
    async change(id: number, { line, lineWords, text, removeVoice = false, ...rest }: ChangedNote) {
      nothingLeft(rest);
      const forgotten = await db.transaction(async (tx) => {
        const { note, melody } = await lockNote(tx, id);
        mustBeLine(melody, line, lineWords);
        const voice = removeVoice ? null : note.voice;
        if (text === '' && !voice) throw saysNothing();
        await store.updateNote(tx, id, { line, text, audioUrl: voice?.audioUrl ?? null });
        await levels.tellOfMelodies(tx, [melody.levelId]);
        return removeVoice ? media.forget(tx, [note.voice?.audioUrl ?? null]) : [];
      });
      await media.removeFiles(forgotten);
      return find(id);
    },

    /** @throws AppError 'not-found' */
    order: (melodyId: number, ids: readonly number[]) =>
      db.transaction(async (tx) => {
        const melody = await lock(tx, melodyId);
        await store.orderNotes(tx, melodyId, ids);
        await levels.tellOfMelodies(tx, [melody.levelId]);
      }),

    /** @throws AppError 'not-found' */
    async remove(id: number) {
      const forgotten = await db.transaction(async (tx) => {
        const { note, melody } = await lockNote(tx, id);
        const along = await passages.filesOfNote(tx, id);
        await spendKeys(tx, SHARED, [await store.deleteNote(tx, id)]);
        await levels.tellOfMelodies(tx, [melody.levelId]);
        return media.forget(tx, [note.voice?.audioUrl ?? null, ...along]);
      });
      await media.removeFiles(forgotten);
    },
  };
}

/** @param seen beginning of the line on the teacher's page; undefined if the caller did not send it */
function mustBeLine({ melodyText }: { melodyText: string | null }, line: number, seen?: string) {
  const text = melodyText ?? '';
  if (line >= linesOf(text).length)
    throw otherLine('This line is no longer in the words. Please choose another.');
  if (seen === undefined) return;
  const sung = sungLinesOf(text).find(({ parts }) => parts[0]!.line === line);
  if (!sung || seen !== beginningOf(wordsOf(sung)))
    throw otherLine('The words of this melody have changed. Please check the line again.');
}

const otherLine = (message: string) => badInput(message, [{ path: 'line', message }]);

const removedBefore = () => conflict('This note was deleted, so it wasn’t added again.');
const noSuchNote = () => notFound('This note no longer exists.');
const saysNothing = () => badInput(TEACHING_NOTE_EMPTY, [{ path: 'text', message: TEACHING_NOTE_EMPTY }]);
const tooMany = () =>
  conflict(`This melody has ${TEACHING_NOTES_MAX} notes already. Please delete one first.`);
