import type { Db } from '#server/db/database.ts';
import { createNotFoundError } from '#shared/errors.ts';
import { SOUND_COPIES, type UploadSlot } from '#shared/media.ts';
import type { FileChecks } from '#server/media/file-checks.ts';
import { createBatchLoader } from '#server/concurrency/batch-loader.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { feedbackAudioSlot } from '#features/feedback/limits.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '#features/melodies/limits.ts';
import { recordingAudioSlot } from '#features/recordings/limits.ts';
import * as store from './store.ts';

export type FilesService = ReturnType<typeof createFilesService>;

type Viewer = Pick<Caller, 'id' | 'role'>;
type FileRequest = { viewer: Viewer; name: string };
/**
 * Feature that decides which users may open its files. `canOpenFiles` returns one result per request, in order.
 */
type FileOwner = { canOpenFiles(requests: FileRequest[]): Promise<boolean[]> };

type Deps = { db: Db; checks: FileChecks; melodies: FileOwner; recordings: FileOwner; feedback: FileOwner };

/**
 * Owner of copies. Nobody can open a copy by the copy's own name: it is requested by its original's name, and
 * needs the same access as the original.
 */
const noOwner: FileOwner = { canOpenFiles: (requests) => Promise.resolve(requests.map(() => false)) };

export function createFilesService(deps: Deps) {
  const owners = {
    'melody-audio': { slot: melodyAudioSlot, owner: deps.melodies },
    // Supports open pages of version 0.2.0, which request playback copies by name.
    'melody-playback': { slot: melodyAudioSlot, owner: deps.melodies },
    'melody-thumbnail': { slot: melodyThumbnailSlot, owner: deps.melodies },
    'recording-audio': { slot: recordingAudioSlot, owner: deps.recordings },
    'feedback-audio': { slot: feedbackAudioSlot, owner: deps.feedback },
    'audio-copy': { slot: melodyAudioSlot, owner: noOwner },
  } satisfies Record<store.MediaSlot, { slot: UploadSlot; owner: FileOwner }>;

  const filesNamed = store.prepareFindFiles(deps.db);
  const findCopy = store.prepareFindCopy(deps.db);

  /**
   * Returns for each request, in order, the file if its viewer currently has access to it, otherwise null.
   * Runs one query per kind of file, regardless of the number of requests.
   */
  async function findAll(requests: readonly FileRequest[]): Promise<(store.MediaFile | null)[]> {
    const files = await filesNamed(requests.map(({ name }) => name));
    const found: (store.MediaFile | null)[] = requests.map(() => null);
    const byOwner = Map.groupBy(requests.keys(), (at) => {
      const file = files.get(requests[at]!.name);
      return file ? owners[file.slot].owner : null;
    });
    for (const [owner, places] of byOwner) {
      const allowed = await owner?.canOpenFiles(places.map((at) => requests[at]!));
      places.forEach((at, index) => {
        if (allowed?.[index]) found[at] = files.get(requests[at]!.name)!;
      });
    }
    return found;
  }

  const findOne = createBatchLoader(findAll);

  return {
    /**
     * Returns the metadata of a file, or of its copy, if the viewer currently has access to the file.
     * @throws AppError 'not-found' for a missing file, another type, a missing copy and missing access alike;
     * 'unavailable' for a damaged file
     */
    async find(name: string, type: string | undefined, viewer: Viewer, copy?: string) {
      const original = await findOne({ viewer, name });
      if (!original || owners[original.slot].slot.media !== type) throw createNotFoundError();
      const isCopy = SOUND_COPIES.some((each) => each === copy);
      const file = copy === undefined ? original : isCopy ? await findCopy(name, copy) : null;
      if (!file) throw createNotFoundError();
      await deps.checks.assertIntact(file);
      return file;
    },

    /** Returns the metadata of the undamaged files to which the viewer has access. */
    async listFacts(names: readonly string[], viewer: Viewer) {
      const found = await findAll(names.map((name) => ({ viewer, name })));
      return found.filter((file) => file !== null && file.damage === null) as store.MediaFile[];
    },

    /**
     * Returns the best copy of each audio file for storage on a device, by the original's name. This is the
     * small copy, or if there is none, the full copy, which plays everywhere. Leaves out files that have
     * neither. Callers must check access.
     */
    async listCopiesToStore(names: readonly string[]) {
      const copies = names.length === 0 ? [] : await store.listUndamagedCopies(deps.db, names);
      const smallLast = copies.sort(
        (one, other) => Number(one.copy === 'small') - Number(other.copy === 'small'),
      );
      return new Map(smallLast.map((copy) => [copy.copyOf, copy]));
    },

    /** Returns for each request whether the viewer has access. Checks many open responses together. */
    async canAccess(requests: FileRequest[]): Promise<boolean[]> {
      if (requests.length === 0) return [];
      return (await findAll(requests)).map((file) => file !== null);
    },

    /**
     * Opens a stream of a file that `find` has returned.
     * @throws as `FileChecks.open` does
     */
    open: deps.checks.open,
    /**
     * Reads a small byte range into memory.
     * @throws as `FileChecks.open` does
     */
    read: deps.checks.read,
  };
}
