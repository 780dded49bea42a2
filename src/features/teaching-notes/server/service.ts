import { type Db, isConstraintViolationOf } from '#server/db/database.ts';
import {
  hasClientIdTombstone,
  SHARED_TOMBSTONE_OWNER,
  insertClientIdTombstones,
} from '#server/db/client-id-tombstones.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { createBadInputError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { LevelsService } from '#features/people/levels/server/service.ts';
import { melodyAudioSlot } from '#features/melodies/limits.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import { splitLines, parseSungLines, getLineWords } from '#features/lyrics/parse.ts';
import { getLineBeginning } from '../line-beginning.ts';
import type { TeachingNote, teachingNotesApi } from '../contract.ts';
import { EMPTY_TEACHING_NOTE_MESSAGE, MAX_TEACHING_NOTES } from '../limits.ts';
import * as store from './store.ts';

export type TeachingNotesService = ReturnType<typeof createTeachingNotesService>;

type NewNote = BodyOf<typeof teachingNotesApi.add>;
type ChangedNote = BodyOf<typeof teachingNotesApi.change>;
type StudentPassage = NonNullable<TeachingNote['studentPassage']>;
type Viewer = Pick<Caller, 'id' | 'role'>;

/**
 * Creates the service for the teacher's notes on the lines of a melody. Everyone who may hear the melody can
 * read and play its notes.
 */
export function createTeachingNotesService(deps: {
  db: Db;
  media: MediaRepository;
  melodies: MelodiesService;
  levels: LevelsService;
  /**
   * Returns the file name of a mark's voice comment.
   * @throws AppError 'not-found'
   */
  voiceFileOf: (recordingId: number, voice: string) => Promise<string>;
  /** Students' passages that are shared next to notes. */
  passages: {
    findSharedPassages(db: Db, noteIds: readonly number[]): Promise<Map<number, StudentPassage>>;
    lockFilesOfNote(tx: Db, noteId: number): Promise<(string | null)[]>;
  };
}) {
  const { db, media, melodies, levels, voiceFileOf, passages } = deps;

  async function withPassages<Note extends { id: number }>(notes: readonly Note[]) {
    const passageByNote = await passages.findSharedPassages(
      db,
      notes.map(({ id }) => id),
    );
    return notes.map((note) => {
      const studentPassage = passageByNote.get(note.id);
      return { ...note, ...(studentPassage && { studentPassage }) };
    });
  }

  async function getNote(id: number) {
    const note = await store.findNote(db, id);
    if (!note) throw noteNotFound();
    return (await withPassages([note]))[0]!;
  }

  /** @throws AppError 'not-found' */
  async function lockMelody(tx: Db, melodyId: number) {
    const melody = await store.lockMelodyForNotes(tx, melodyId);
    if (!melody) throw createNotFoundError('This melody no longer exists.');
    return melody;
  }

  /**
   * Returns the note and its melody. Locks the melody until the transaction ends, as all changes to notes do.
   * @throws AppError 'not-found'
   */
  async function lockNote(tx: Db, id: number) {
    const found = await store.findNote(tx, id);
    if (!found) throw noteNotFound();
    const melody = await lockMelody(tx, found.melodyId);
    // Reads the note again, because it may have been deleted during the wait for the lock.
    const note = await store.findNote(tx, id);
    if (!note) throw noteNotFound();
    return { note, melody };
  }

  return {
    /** @throws AppError 'not-found', also for a melody to which the viewer has no access */
    async list(melodyId: number, viewer: Viewer): Promise<TeachingNote[]> {
      await melodies.get(viewer, melodyId);
      return withPassages(await store.listNotes(db, melodyId));
    },

    /**
     * Adds a note. A repeated call with the same `clientId` does not add a second note.
     * @throws AppError 'not-found' for an unknown melody or voice comment; 'bad-input' if the note is empty
     *   or the line does not exist or has changed; 'conflict' if there are too many notes, or if the note
     *   with this `clientId` has been deleted or belongs to another melody
     */
    async add(
      melodyId: number,
      { clientId, line, lineWords, text, voiceOf, ...rest }: NewNote,
      admin: Viewer,
    ) {
      assertExhaustive(rest);
      const findExisting = async () => {
        const note = await store.findNoteByClientId(db, clientId);
        if (note && note.melodyId !== melodyId)
          throw createConflictError('This note belongs to another melody.');
        return note && { note: (await withPassages([note]))[0]!, isNew: false };
      };
      const known = await findExisting();
      if (known) return known;
      await melodies.get(admin, melodyId);
      if (text === '' && !voiceOf) throw emptyNoteError();
      const sound = voiceOf
        ? await media.again(await voiceFileOf(voiceOf.recordingId, voiceOf.voice), melodyAudioSlot)
        : null;
      try {
        const id = await media.saveInTransaction(sound ? [sound] : [], async (tx) => {
          await melodies.closeImportOf(tx, melodyId);
          const melody = await lockMelody(tx, melodyId);
          assertLineUnchanged(melody, line, lineWords);
          if ((await store.countNotes(tx, melodyId)) >= MAX_TEACHING_NOTES) throw tooManyNotesError();
          const audioUrl = sound?.row.name ?? null;
          const added = await store.insertNote(tx, { melodyId, clientId, line, text, audioUrl });
          if (await hasClientIdTombstone(tx, SHARED_TOMBSTONE_OWNER, clientId)) throw noteDeletedError();
          await levels.announceMelodies(tx, [melody.levelId]);
          return added;
        });
        return { note: await getNote(id), isNew: true };
      } catch (error) {
        // Returns the existing note if a concurrent call with the same `clientId` came first.
        const other = isConstraintViolationOf(error, 'teaching_notes_client_id_unique')
          ? await findExisting()
          : null;
        if (other) return other;
        throw error;
      }
    },

    /**
     * @throws AppError 'not-found'; 'bad-input' if the note would be empty or the line does not exist or has
     * changed
     */
    async change(id: number, { line, lineWords, text, removeVoice = false, ...rest }: ChangedNote) {
      assertExhaustive(rest);
      const forgotten = await db.transaction(async (tx) => {
        const { note, melody } = await lockNote(tx, id);
        assertLineUnchanged(melody, line, lineWords);
        const voice = removeVoice ? null : note.voice;
        if (text === '' && !voice) throw emptyNoteError();
        await store.updateNote(tx, id, { line, text, audioUrl: voice?.audioUrl ?? null });
        await levels.announceMelodies(tx, [melody.levelId]);
        return removeVoice ? media.deleteRows(tx, [note.voice?.audioUrl ?? null]) : [];
      });
      await media.removeFiles(forgotten);
      return getNote(id);
    },

    /** @throws AppError 'not-found' */
    order: (melodyId: number, ids: readonly number[]) =>
      db.transaction(async (tx) => {
        const melody = await lockMelody(tx, melodyId);
        await store.setNoteOrder(tx, melodyId, ids);
        await levels.announceMelodies(tx, [melody.levelId]);
      }),

    /** @throws AppError 'not-found' */
    async remove(id: number) {
      const forgotten = await db.transaction(async (tx) => {
        const { note, melody } = await lockNote(tx, id);
        const along = await passages.lockFilesOfNote(tx, id);
        await insertClientIdTombstones(tx, SHARED_TOMBSTONE_OWNER, [await store.deleteNote(tx, id)]);
        await levels.announceMelodies(tx, [melody.levelId]);
        return media.deleteRows(tx, [note.voice?.audioUrl ?? null, ...along]);
      });
      await media.removeFiles(forgotten);
    },
  };
}

/** @param seen beginning of the line on the teacher's page; undefined if the caller did not send it */
function assertLineUnchanged({ melodyText }: { melodyText: string | null }, line: number, seen?: string) {
  const text = melodyText ?? '';
  if (line >= splitLines(text).length)
    throw lineError('This line is no longer in the words. Please choose another.');
  if (seen === undefined) return;
  const sung = parseSungLines(text).find(({ parts }) => parts[0]!.line === line);
  if (!sung || seen !== getLineBeginning(getLineWords(sung)))
    throw lineError('The words of this melody have changed. Please check the line again.');
}

const lineError = (message: string) => createBadInputError(message, [{ path: 'line', message }]);

const noteDeletedError = () => createConflictError('This note was deleted, so it wasn’t added again.');
const noteNotFound = () => createNotFoundError('This note no longer exists.');
const emptyNoteError = () =>
  createBadInputError(EMPTY_TEACHING_NOTE_MESSAGE, [{ path: 'text', message: EMPTY_TEACHING_NOTE_MESSAGE }]);
const tooManyNotesError = () =>
  createConflictError(`This melody has ${MAX_TEACHING_NOTES} notes already. Please delete one first.`);
