import type { Db } from '#server/db/database.ts';
import { notFound } from '#shared/errors.ts';
import { SOUND_COPIES, type UploadSlot } from '#shared/media.ts';
import type { FileChecks } from '#server/media/checks.ts';
import { batchLoader } from '#server/concurrency/batch-loader.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { feedbackAudioSlot } from '#features/feedback/limits.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '#features/melodies/limits.ts';
import { recordingAudioSlot } from '#features/recordings/limits.ts';
import * as store from './store.ts';

export type FilesService = ReturnType<typeof filesService>;

type Viewer = Pick<Caller, 'id' | 'role'>;
type Asked = { viewer: Viewer; name: string };
/** Which files the viewer may have is up to each owning feature: one result per name, in order. */
type Owner = { mayOpenFiles(asked: Asked[]): Promise<boolean[]> };

type Deps = { db: Db; checks: FileChecks; melodies: Owner; recordings: Owner; feedback: Owner };

/** Copies have no owner: whoever may have the original may have them, by its name. */
const nobody: Owner = { mayOpenFiles: (asked) => Promise.resolve(asked.map(() => false)) };

export function filesService(deps: Deps) {
  const owners = {
    'melody-audio': { slot: melodyAudioSlot, owner: deps.melodies },
    // Pages that 0.2.0 made know its name.
    'melody-playback': { slot: melodyAudioSlot, owner: deps.melodies },
    'melody-thumbnail': { slot: melodyThumbnailSlot, owner: deps.melodies },
    'recording-audio': { slot: recordingAudioSlot, owner: deps.recordings },
    'feedback-audio': { slot: feedbackAudioSlot, owner: deps.feedback },
    'audio-copy': { slot: melodyAudioSlot, owner: nobody },
  } satisfies Record<store.Slot, { slot: UploadSlot; owner: Owner }>;

  const filesNamed = store.filesNamed(deps.db);
  const findCopy = store.findCopy(deps.db);

  /** For each, in order: the file, if the viewer may have it now. One query per kind of file, however many there are. */
  async function findAll(asked: readonly Asked[]): Promise<(store.File | null)[]> {
    const files = await filesNamed(asked.map(({ name }) => name));
    const found: (store.File | null)[] = asked.map(() => null);
    const byOwner = Map.groupBy(asked.keys(), (at) => {
      const file = files.get(asked[at]!.name);
      return file ? owners[file.slot].owner : null;
    });
    for (const [owner, places] of byOwner) {
      const may = await owner?.mayOpenFiles(places.map((at) => asked[at]!));
      places.forEach((at, index) => {
        if (may?.[index]) found[at] = files.get(asked[at]!.name)!;
      });
    }
    return found;
  }

  const findOne = batchLoader(findAll);

  return {
    /**
     * The facts of a file, if the viewer may have it at this moment; or of a copy of it, to which the same right leads and
     * no other.
     * @throws AppError 'not-found', alike for a missing file, one of another type, one without such a copy, or one that
     *   the viewer may not have; 'unavailable' for a damaged one
     */
    async find(name: string, type: string | undefined, viewer: Viewer, copy?: string) {
      const original = await findOne({ viewer, name });
      if (!original || owners[original.slot].slot.media !== type) throw notFound();
      const isCopy = SOUND_COPIES.some((each) => each === copy);
      const file = copy === undefined ? original : isCopy ? await findCopy(name, copy) : null;
      if (!file) throw notFound();
      await deps.checks.mustBeWhole(file);
      return file;
    },

    /** The facts of those files that the viewer may have; damaged ones are left out. */
    async factsOf(names: readonly string[], viewer: Viewer) {
      const found = await findAll(names.map((name) => ({ viewer, name })));
      return found.filter((file) => file !== null && file.damage === null) as store.File[];
    },

    /**
     * Of sounds that the caller may have, the copy that is best kept on a device, by the sound's name: the small one,
     * else the one that plays everywhere. A sound without either is left out.
     */
    async copiesToKeep(names: readonly string[]) {
      const copies = names.length === 0 ? [] : await store.copiesOfAll(deps.db, names);
      const smallLast = copies.sort(
        (one, other) => Number(one.copy === 'small') - Number(other.copy === 'small'),
      );
      return new Map(smallLast.map((copy) => [copy.copyOf, copy]));
    },

    /** For many open responses at once. */
    async mayHave(asked: Asked[]): Promise<boolean[]> {
      if (asked.length === 0) return [];
      return (await findAll(asked)).map((file) => file !== null);
    },

    /** The bytes of a file that was found. @throws as `FileChecks.open` does */
    open: deps.checks.open,
    /** A few of them, at once. @throws as `FileChecks.open` does */
    read: deps.checks.read,
  };
}
