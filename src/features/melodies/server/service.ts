import { isDeepStrictEqual } from 'node:util';
import { violates, type Db } from '#server/db/database.ts';
import { isSpent, spendKeys } from '#server/db/spent-keys.ts';
import type { Search } from '#server/db/search.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { conflict, notFound } from '#shared/errors.ts';
import type { Media } from '#server/media/keep.ts';
import type { Log } from '#server/log.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { LevelsService } from '#features/people/levels/server/service.ts';
import type { UploadsService } from '#features/uploads/server/service.ts';
import type { melodiesApi } from '../contract.ts';
import { type MelodyFiles, type MelodySending, newFilesWith } from './files.ts';
import { changesToMany } from './many.ts';
import * as store from './store.ts';
import { movedLines, stillLines, timingsAfter } from './timings.ts';

export type MelodiesService = ReturnType<typeof melodiesService>;

type NewMelody = BodyOf<typeof melodiesApi.add>;

/** Absent fields are left unchanged; an empty text removes the field. */
type ChangedMelody = Omit<BodyOf<typeof melodiesApi.change>, 'removeAudio' | 'removeThumbnail'>;

export function melodiesService(deps: {
  db: Db;
  search: Search;
  media: Media;
  levels: LevelsService;
  uploads: UploadsService;
  /** Lines detected in recordings of a melody, which change with its words; called while the melody is locked. */
  recordingLines: {
    queueOfMelody(tx: Db, id: number): Promise<unknown>;
    moveLines(tx: Db, id: number, still: readonly (number | null)[]): Promise<void>;
  };
  /** Teaching notes, which change and are deleted with their melody; called while the melody is locked. */
  notes: {
    filesOf(tx: Db, id: number): Promise<(string | null)[]>;
    moveLines(tx: Db, id: number, moved: (line: number) => number): Promise<void>;
  };
  /** Whether every sound that needs a playback copy gets one. */
  makesCopies: boolean;
  log: Log;
}) {
  const { db, search, media, levels, uploads, recordingLines, notes, makesCopies, log } = deps;
  const withNewFiles = newFilesWith(media, uploads);
  const findHeard = store.findHeard(db);

  async function get(viewer: store.Viewer, id: number) {
    const melody = await store.findMelody(db, viewer, id, makesCopies);
    if (!melody) throw noSuchMelody();
    return melody;
  }

  async function mustBeLevel(id: number) {
    const known = await levels.list();
    if (!known.some((level) => level.id === id)) throw noSuchLevel();
  }

  /**
   * Returns the melody of an earlier call with the same `clientId`, and deletes the uploads, which are no longer
   * needed.
   */
  async function sentOnce(
    found: Promise<number | null> | null,
    { audioUploadId, thumbnailUploadId }: MelodySending,
    author: store.Viewer,
  ) {
    const id = await found;
    if (id === null) return null;
    await uploads.giveUp(author.id, audioUploadId);
    await uploads.giveUp(author.id, thumbnailUploadId);
    return get(author, id);
  }

  const melodies = {
    /**
     * Lists melodies, newest first. The list is made on demand; its version is shared by all users who may hear the
     * same levels.
     * @param levelId limits the list to one level; it is empty if the level does not exist or the viewer may not hear
     * it
     */
    shared({ role, receivedLevels, libraryVersion }: Caller, view: store.View, levelId?: number) {
      let levels: store.Levels = role === 'admin' ? 'all' : receivedLevels;
      if (levelId !== undefined)
        levels = levels === 'all' ? [levelId] : levels.filter((level) => level === levelId);
      return {
        version: `${libraryVersion} ${view} ${String(levels)}`,
        make: () => store.listMelodies(db, view, levels),
      };
    },

    /**
     * Finds melodies, newest first.
     * @param words must all occur in title, description or text
     * @param signal aborts the search
     * @throws AppError 'unavailable' if it takes too long
     */
    search: (
      viewer: store.Viewer,
      view: store.View,
      words: string[],
      levelId?: number,
      signal?: AbortSignal,
    ) => search((tx) => store.searchMelodies(tx, view, viewer, words, levelId), signal),

    /** Returns the given melodies that the viewer may hear, by id. */
    among: async (viewer: store.Viewer, ids: number[]) =>
      new Map((await store.listAmong(db, viewer, ids)).map((melody) => [melody.id, melody])),

    /** Returns a page of complete melodies for an admin, newest first. */
    listWhole: (before?: number) => store.listWhole(db, before),
    librarySize: () => store.librarySize(db),

    /** Lists the ids of timed melodies that the viewer may hear. */
    listTimed: (viewer: store.Viewer) => store.listTimed(db, viewer),

    listUse: () => store.listUse(db),

    /** Fills, at startup, the search columns of melodies saved before these columns existed. */
    async foldUnfolded() {
      while ((await db.transaction(store.foldSome)) > 0);
    },

    /** @throws AppError 'not-found', also for a melody the viewer may not hear */
    get,

    /** Returns the given melodies that the viewer may store on a device, each with its version and files. */
    keepable: (viewer: store.Viewer, ids: readonly number[]) => store.listKeepable(db, viewer, ids),

    /**
     * Prevents a melody from being deleted until the transaction ends, for rows that refer to it. Returns null if it
     * does not exist or the viewer may not hear it.
     */
    hold: (tx: Db, viewer: store.Viewer, id: number) => store.holdMelody(tx, viewer, id),

    /** Returns, for each request in order, whether the file belongs to a melody that the viewer may hear. */
    async mayOpenFiles(asked: { viewer: store.Viewer; name: string }[]) {
      const found = await findHeard(asked);
      return asked.map((_, at) => found.has(at));
    },

    /**
     * Adds a melody; saves its files and its row in one transaction. A `clientId` that the author has already sent
     * returns the melody created then, whatever else is sent with it.
     * @param files those in the call itself, not uploaded before
     * @throws AppError 'not-found' for an unknown level, 'unsupported-media' or 'bad-input' for the files, 'conflict'
     * if an upload is incomplete, belongs to something else or was used, or if the melody was deleted since
     */
    async add(melody: NewMelody, files: MelodyFiles, author: store.Viewer) {
      const { clientId, audioUploadId, thumbnailUploadId, peaks, importId, timings, ...typed } = melody;
      const made = () =>
        sentOnce(clientId ? store.findByClientId(db, author.id, clientId) : null, melody, author);
      const known = await made();
      if (known) return { melody: known, isNew: false };
      await mustBeLevel(melody.transmissionLevelId);
      try {
        const id = await withNewFiles(
          files,
          { audioUploadId, thumbnailUploadId, peaks },
          author.id,
          ({ kept, audio, thumbnail }, takeUploads) =>
            saveInTransaction(media, kept, async (tx) => {
              const columns = columnsOf(typed);
              const added = await store.insertMelody(tx, {
                ...columns,
                title: typed.title,
                transmissionLevelId: typed.transmissionLevelId,
                audioUrl: audio ?? null,
                thumbnailUrl: thumbnail ?? null,
                createdBy: author.id,
                clientId: clientId ?? null,
                importId: importId ?? null,
                timings: timingsAfter(
                  { melodyText: null, timings: null },
                  {
                    melodyText: columns.melodyText ?? null,
                    timings,
                    hasAudio: audio !== undefined,
                    isOtherAudio: true,
                  },
                ),
              });
              if (await isSpent(tx, author.id, clientId)) throw deletedBefore();
              await takeUploads(tx);
              await levels.tellOfMelodies(tx, [melody.transmissionLevelId]);
              return added;
            }),
        );
        return { melody: await get(author, id), isNew: true };
      } catch (error) {
        // A concurrent call with the same `clientId` won, and took the uploads.
        const other = await made();
        if (other) return { melody: other, isNew: false };
        throw error;
      }
    },

    /**
     * Changes the given fields and files and leaves the rest. Replaced and removed files are deleted after the
     * commit. A new file takes precedence over removing the old one. Repeating the last call's `clientId` has no
     * effect.
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
      const made = () => sentOnce(clientId ? store.findChanged(db, id, clientId) : null, changed, author);
      // Checked first, because examining the files can take minutes.
      await get(author, id);
      const known = await made();
      if (known) return known;
      if (changed.transmissionLevelId !== undefined) await mustBeLevel(changed.transmissionLevelId);
      try {
        const forgotten = await withNewFiles(
          files,
          { audioUploadId, thumbnailUploadId, peaks },
          author.id,
          ({ kept, audio, thumbnail }, takeUploads) =>
            saveInTransaction(media, kept, async (tx) => {
              await store.closeImportOf(tx, id);
              const before = await store.lockMelody(tx, id);
              if (!before) throw noSuchMelody();
              const after = {
                ...before,
                ...columnsOf(typed),
                ...(removed.audioFile && { audioUrl: null, playbackUrl: null }),
                ...(audio !== undefined && { audioUrl: audio, playbackUrl: null }),
                ...(removed.thumbnail && { thumbnailUrl: null }),
                ...(thumbnail !== undefined && { thumbnailUrl: thumbnail }),
              };
              const timings = timingsAfter(before, {
                melodyText: after.melodyText,
                timings: newTimings,
                hasAudio: after.audioUrl !== null,
                isOtherAudio: after.audioUrl !== before.audioUrl,
              });
              await store.updateMelody(tx, id, { ...after, timings, changeId: clientId ?? null });
              if (after.audioUrl !== before.audioUrl || !isDeepStrictEqual(timings, before.timings))
                await recordingLines.queueOfMelody(tx, id);
              if (after.melodyText !== before.melodyText) {
                await notes.moveLines(tx, id, movedLines(before.melodyText, after.melodyText));
                await recordingLines.moveLines(tx, id, stillLines(before.melodyText, after.melodyText));
              }
              await takeUploads(tx);
              await levels.tellOfMelodies(tx, [before.transmissionLevelId, after.transmissionLevelId]);
              const still = filesOf(after);
              return media.forget(
                tx,
                filesOf(before).filter((name) => !still.includes(name)),
              );
            }),
        );
        await media.removeFiles(forgotten);
      } catch (error) {
        const other = await made();
        if (other) return other;
        throw error;
      }
      return get(author, id);
    },

    closeImportOf: store.closeImportOf,

    /**
     * Deletes a melody, then its files. Recordings of it stay, with their titles.
     * @throws AppError 'not-found'
     */
    async remove(id: number) {
      const forgotten = await db.transaction(async (tx) => {
        await store.closeImportOf(tx, id);
        // From here on no note can be added.
        await store.lockMelody(tx, id);
        const voices = await notes.filesOf(tx, id);
        const gone = await store.deleteMelody(tx, id);
        if (!gone) throw noSuchMelody();
        await spendKeys(tx, gone.createdBy, [gone.clientId]);
        await levels.tellOfMelodies(tx, [gone.transmissionLevelId]);
        return media.forget(tx, [...filesOf(gone), ...voices]);
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

  return { ...melodies, ...changesToMany({ setLevel, remove: melodies.remove }, log) };
}

/** @throws AppError 'not-found' also for a level that was deleted since it was checked */
async function saveInTransaction<T>(
  media: Media,
  ...given: Parameters<typeof media.saveInTransaction<T>>
): Promise<T> {
  try {
    return await media.saveInTransaction(...given);
  } catch (error) {
    if (violates(error, 'melodies_transmission_level_id_transmission_levels_id_fk')) throw noSuchLevel();
    throw error;
  }
}

type Typed = Omit<ChangedMelody, keyof MelodySending | 'clientId' | 'timings'>;

/** Columns for the typed fields; none for absent fields. */
function columnsOf({ title, transmissionLevelId, description, vimeoUrl, melodyText, ...rest }: Typed) {
  nothingLeft(rest);
  return {
    ...(title !== undefined && { title }),
    ...(transmissionLevelId !== undefined && { transmissionLevelId }),
    ...(description !== undefined && { description: description.trim() || null }),
    ...(vimeoUrl !== undefined && { vimeoUrl: vimeoUrl || null }),
    ...(melodyText !== undefined && { melodyText: melodyText || null }),
  };
}

const filesOf = ({ audioUrl, playbackUrl, thumbnailUrl }: store.FileNames) => [
  audioUrl,
  playbackUrl,
  thumbnailUrl,
];

const deletedBefore = () => conflict('This melody has been deleted, so it wasn’t added again.');
const noSuchMelody = () => notFound('This melody no longer exists.');
const noSuchLevel = () => notFound('This level no longer exists.');
