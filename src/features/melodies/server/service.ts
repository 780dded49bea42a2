import { isDeepStrictEqual } from 'node:util';
import { isConstraintViolationOf, type Db } from '#server/db/database.ts';
import { hasClientIdTombstone, insertClientIdTombstones } from '#server/db/client-id-tombstones.ts';
import type { SearchRunner } from '#server/db/search.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { createConflictError, createNotFoundError } from '#shared/errors.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import type { Log } from '#server/log.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { LevelsService } from '#features/people/levels/server/service.ts';
import type { UploadsService } from '#features/uploads/server/service.ts';
import type { melodiesApi } from '../contract.ts';
import { type MelodyFiles, type MelodyUploadFields, createMelodyFilesProcessor } from './files.ts';
import { createBulkMelodyService } from './bulk.ts';
import * as store from './store.ts';
import { createLineMapper, mapLineIndexes, computeUpdatedTimings } from './timings.ts';

export type MelodiesService = ReturnType<typeof createMelodiesService>;

type NewMelody = BodyOf<typeof melodiesApi.add>;

/** Absent fields are left unchanged; an empty text removes the field. */
type ChangedMelody = Omit<BodyOf<typeof melodiesApi.change>, 'removeAudio' | 'removeThumbnail'>;

export function createMelodiesService(deps: {
  db: Db;
  search: SearchRunner;
  media: MediaRepository;
  levels: LevelsService;
  uploads: UploadsService;
  /**
   * Updates the lines found in recordings of a melody when the melody changes. Called while the melody is
   * locked.
   */
  recordingLines: {
    queueRecordingsOfMelody(tx: Db, id: number): Promise<unknown>;
    renumberLines(tx: Db, id: number, still: readonly (number | null)[]): Promise<void>;
  };
  /**
   * Updates a melody's teaching notes when its words change, and lists the notes' files when the melody is
   * deleted. Called while the melody is locked.
   */
  notes: {
    listFiles(tx: Db, id: number): Promise<(string | null)[]>;
    renumberLines(tx: Db, id: number, moved: (line: number) => number): Promise<void>;
  };
  /** Whether this server makes copies of audio in which browsers can't seek exactly. */
  makesCopies: boolean;
  log: Log;
}) {
  const { db, search, media, levels, uploads, recordingLines, notes, makesCopies, log } = deps;
  const withNewFiles = createMelodyFilesProcessor(media, uploads);
  const findHeard = store.prepareFindAccessibleFiles(db);

  async function get(viewer: store.Viewer, id: number) {
    const melody = await store.findMelody(db, viewer, id, makesCopies);
    if (!melody) throw melodyNotFound();
    return melody;
  }

  async function assertLevelExists(id: number) {
    const known = await levels.list();
    if (!known.some((level) => level.id === id)) throw levelNotFound();
  }

  /**
   * Returns the melody of an earlier call with the same `clientId`, and deletes this call's uploads, which
   * are no longer needed. Returns null if there was no such call.
   */
  async function findSent(
    found: Promise<number | null> | null,
    { audioUploadId, thumbnailUploadId }: MelodyUploadFields,
    author: store.Viewer,
  ) {
    const id = await found;
    if (id === null) return null;
    await uploads.cancel(author.id, audioUploadId);
    await uploads.cancel(author.id, thumbnailUploadId);
    return get(author, id);
  }

  const melodies = {
    /**
     * Returns the version of the library and a function that lists its melodies, newest first. All users who
     * may hear the same levels share a version.
     * @param levelId lists only melodies of this level; the list is empty if the level does not exist or the
     *   viewer may not hear it
     */
    listShared({ role, receivedLevels, libraryVersion }: Caller, view: store.MelodyView, levelId?: number) {
      let levels: store.AccessibleLevels = role === 'admin' ? 'all' : receivedLevels;
      if (levelId !== undefined)
        levels = levels === 'all' ? [levelId] : levels.filter((level) => level === levelId);
      return {
        version: `${libraryVersion} ${view} ${String(levels)}`,
        make: () => store.listMelodies(db, view, levels),
      };
    },

    /**
     * Finds melodies, newest first.
     * @param words words that must all occur in title, description or text
     * @param signal aborts the search
     * @throws AppError 'unavailable' if the search takes too long
     */
    search: (
      viewer: store.Viewer,
      view: store.MelodyView,
      words: string[],
      levelId?: number,
      signal?: AbortSignal,
    ) => search((tx) => store.searchMelodies(tx, view, viewer, words, levelId), signal),

    /** Returns the given melodies that the viewer may hear, by id. */
    getAccessible: async (viewer: store.Viewer, ids: number[]) =>
      new Map((await store.listAccessibleMelodies(db, viewer, ids)).map((melody) => [melody.id, melody])),

    /** Returns a page of complete melodies for an admin, newest first. */
    listCompleteMelodies: (before?: number) => store.listMelodiesForExport(db, before),
    getLibrarySize: () => store.getLibrarySize(db),

    /** Lists the ids of timed melodies that the viewer may hear. */
    listTimedMelodyIds: (viewer: store.Viewer) => store.listTimedMelodyIds(db, viewer),

    listUsage: () => store.listMelodyUsage(db),

    /** Fills the search columns of melodies saved before these columns existed. Called at startup. */
    async backfillSearchColumns() {
      while ((await db.transaction(store.backfillMelodySearchColumnsBatch)) > 0);
    },

    /** @throws AppError 'not-found', also for a melody the viewer may not hear */
    get,

    /** Returns the given melodies that the viewer may store on a device, each with its version and files. */
    listStorableMelodies: (viewer: store.Viewer, ids: readonly number[]) =>
      store.listStorableMelodies(db, viewer, ids),

    /**
     * Locks a melody, so that it can't be deleted while the transaction saves rows that refer to it. Returns
     * its id, or null if it does not exist or the viewer may not hear it.
     */
    lockMelody: (tx: Db, viewer: store.Viewer, id: number) => store.lockAccessibleMelody(tx, viewer, id),

    /** Returns, for each request in order, whether the file belongs to a melody that the viewer may hear. */
    async canOpenFiles(asked: { viewer: store.Viewer; name: string }[]) {
      const found = await findHeard(asked);
      return asked.map((_, at) => found.has(at));
    },

    /**
     * Adds a melody, saving its files and its row in one transaction. If the author has already sent this
     * `clientId`, returns the melody created by that call and ignores the other fields.
     * @param files the files in the call itself, as opposed to earlier uploads
     * @throws AppError 'not-found' for an unknown level, 'unsupported-media' or 'bad-input' for the files,
     * 'conflict' if an upload is incomplete, used or for another purpose, or if the melody has been deleted
     * since
     */
    async add(melody: NewMelody, files: MelodyFiles, author: store.Viewer) {
      const { clientId, audioUploadId, thumbnailUploadId, peaks, importId, timings, ...typed } = melody;
      const findExisting = () =>
        findSent(clientId ? store.findMelodyIdByClientId(db, author.id, clientId) : null, melody, author);
      const known = await findExisting();
      if (known) return { melody: known, isNew: false };
      await assertLevelExists(melody.transmissionLevelId);
      try {
        const id = await withNewFiles(
          files,
          { audioUploadId, thumbnailUploadId, peaks },
          author.id,
          ({ kept, audio, thumbnail }, takeUploads) =>
            saveInTransaction(media, kept, async (tx) => {
              const columns = toColumns(typed);
              const added = await store.insertMelody(tx, {
                ...columns,
                title: typed.title,
                transmissionLevelId: typed.transmissionLevelId,
                audioUrl: audio ?? null,
                thumbnailUrl: thumbnail ?? null,
                createdBy: author.id,
                clientId: clientId ?? null,
                importId: importId ?? null,
                timings: computeUpdatedTimings(
                  { melodyText: null, timings: null },
                  {
                    melodyText: columns.melodyText ?? null,
                    timings,
                    hasAudio: audio !== undefined,
                    isOtherAudio: true,
                  },
                ),
              });
              if (await hasClientIdTombstone(tx, author.id, clientId)) throw melodyDeletedError();
              await takeUploads(tx);
              await levels.announceMelodies(tx, [melody.transmissionLevelId]);
              return added;
            }),
        );
        return { melody: await get(author, id), isNew: true };
      } catch (error) {
        // Returns the melody of a concurrent call with the same `clientId` that came first and used the
        // uploads.
        const other = await findExisting();
        if (other) return { melody: other, isNew: false };
        throw error;
      }
    },

    /**
     * Changes the given fields and files and keeps the others. Replaced and removed files are deleted after the
     * commit. A new file takes precedence over removing the old one. A call with the same `clientId` as the
     * last change has no effect.
     * @throws AppError as `add` does, and 'not-found' for an unknown melody
     */
    async change(
      id: number,
      changed: ChangedMelody,
      files: MelodyFiles,
      removed: { audioFile: boolean; thumbnail: boolean },
      author: store.Viewer,
    ) {
      const { clientId, audioUploadId, thumbnailUploadId, peaks, timings: newTimings, ...typed } = changed;
      const findExisting = () =>
        findSent(clientId ? store.findMelodyIdByChangeId(db, id, clientId) : null, changed, author);
      // Rejects an unknown melody before inspecting the files, which can take minutes.
      await get(author, id);
      const known = await findExisting();
      if (known) return known;
      if (changed.transmissionLevelId !== undefined) await assertLevelExists(changed.transmissionLevelId);
      try {
        const forgotten = await withNewFiles(
          files,
          { audioUploadId, thumbnailUploadId, peaks },
          author.id,
          ({ kept, audio, thumbnail }, takeUploads) =>
            saveInTransaction(media, kept, async (tx) => {
              await store.closeImportOfMelody(tx, id);
              const before = await store.lockMelody(tx, id);
              if (!before) throw melodyNotFound();
              const after = {
                ...before,
                ...toColumns(typed),
                ...(removed.audioFile && { audioUrl: null, playbackUrl: null }),
                ...(audio !== undefined && { audioUrl: audio, playbackUrl: null }),
                ...(removed.thumbnail && { thumbnailUrl: null }),
                ...(thumbnail !== undefined && { thumbnailUrl: thumbnail }),
              };
              const timings = computeUpdatedTimings(before, {
                melodyText: after.melodyText,
                timings: newTimings,
                hasAudio: after.audioUrl !== null,
                isOtherAudio: after.audioUrl !== before.audioUrl,
              });
              await store.updateMelody(tx, id, { ...after, timings, changeId: clientId ?? null });
              if (after.audioUrl !== before.audioUrl || !isDeepStrictEqual(timings, before.timings))
                await recordingLines.queueRecordingsOfMelody(tx, id);
              if (after.melodyText !== before.melodyText) {
                await notes.renumberLines(tx, id, createLineMapper(before.melodyText, after.melodyText));
                await recordingLines.renumberLines(
                  tx,
                  id,
                  mapLineIndexes(before.melodyText, after.melodyText),
                );
              }
              await takeUploads(tx);
              await levels.announceMelodies(tx, [before.transmissionLevelId, after.transmissionLevelId]);
              const still = getFileNames(after);
              return media.deleteRows(
                tx,
                getFileNames(before).filter((name) => !still.includes(name)),
              );
            }),
        );
        await media.removeFiles(forgotten);
      } catch (error) {
        const other = await findExisting();
        if (other) return other;
        throw error;
      }
      return get(author, id);
    },

    closeImportOf: store.closeImportOfMelody,

    /**
     * Deletes a melody, then its files. Recordings of the melody stay, with their titles.
     * @throws AppError 'not-found'
     */
    async remove(id: number) {
      const forgotten = await db.transaction(async (tx) => {
        await store.closeImportOfMelody(tx, id);
        // Prevents concurrent new notes, whose files would not be deleted.
        await store.lockMelody(tx, id);
        const voices = await notes.listFiles(tx, id);
        const gone = await store.deleteMelody(tx, id);
        if (!gone) throw melodyNotFound();
        await insertClientIdTombstones(tx, gone.createdBy, [gone.clientId]);
        await levels.announceMelodies(tx, [gone.transmissionLevelId]);
        return media.deleteRows(tx, [...getFileNames(gone), ...voices]);
      });
      await media.removeFiles(forgotten);
    },
  };

  /** @throws AppError 'not-found' for an unknown melody or level */
  async function setLevel(id: number, levelId: number, author: store.Viewer) {
    const { transmissionLevelId } = await get(author, id);
    if (transmissionLevelId === levelId) return;
    const nothing = { audioFile: false, thumbnail: false };
    await melodies.change(id, { transmissionLevelId: levelId }, {}, nothing, author);
  }

  return { ...melodies, ...createBulkMelodyService({ setLevel, remove: melodies.remove }, log) };
}

/** @throws AppError 'not-found', also if the level has been deleted since it was checked */
async function saveInTransaction<T>(
  media: MediaRepository,
  ...given: Parameters<typeof media.saveInTransaction<T>>
): Promise<T> {
  try {
    return await media.saveInTransaction(...given);
  } catch (error) {
    if (isConstraintViolationOf(error, 'melodies_transmission_level_id_transmission_levels_id_fk'))
      throw levelNotFound();
    throw error;
  }
}

type Typed = Omit<ChangedMelody, keyof MelodyUploadFields | 'clientId' | 'timings'>;

/** Returns the columns for the typed fields, without those for absent fields. */
function toColumns({ title, transmissionLevelId, description, vimeoUrl, melodyText, ...rest }: Typed) {
  assertExhaustive(rest);
  return {
    ...(title !== undefined && { title }),
    ...(transmissionLevelId !== undefined && { transmissionLevelId }),
    ...(description !== undefined && { description: description.trim() || null }),
    ...(vimeoUrl !== undefined && { vimeoUrl: vimeoUrl || null }),
    ...(melodyText !== undefined && { melodyText: melodyText || null }),
  };
}

const getFileNames = ({ audioUrl, playbackUrl, thumbnailUrl }: store.MelodyFileNames) => [
  audioUrl,
  playbackUrl,
  thumbnailUrl,
];

const melodyDeletedError = () =>
  createConflictError('This melody has been deleted, so it wasn’t added again.');
const melodyNotFound = () => createNotFoundError('This melody no longer exists.');
const levelNotFound = () => createNotFoundError('This level no longer exists.');
