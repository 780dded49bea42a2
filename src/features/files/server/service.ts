import type { Db } from '../../../db/database.ts';
import { notFound } from '../../../platform/contract/errors.ts';
import type { UploadSlot } from '../../../platform/contract/media.ts';
import type { FileChecks } from '../../../platform/server/media/checks.ts';
import type { Caller } from '../../../platform/server/sessions.ts';
import { feedbackAudioSlot } from '../../feedback/limits.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '../../melodies/limits.ts';
import { recordingAudioSlot } from '../../recordings/limits.ts';
import * as store from './store.ts';

export type FilesService = ReturnType<typeof filesService>;

type Viewer = Pick<Caller, 'id' | 'role'>;
type Asked = { viewer: Viewer; name: string };
/** Which files the viewer may have is up to each owning feature: one result per name, in order. */
type Owner = { mayOpenFiles(asked: Asked[]): Promise<boolean[]> };

type Deps = { db: Db; checks: FileChecks; melodies: Owner; recordings: Owner; feedback: Owner };

export function filesService(deps: Deps) {
  const owners = {
    'melody-audio': { slot: melodyAudioSlot, owner: deps.melodies },
    // Made from the audio, so that browsers can seek exactly.
    'melody-playback': { slot: melodyAudioSlot, owner: deps.melodies },
    'melody-thumbnail': { slot: melodyThumbnailSlot, owner: deps.melodies },
    'recording-audio': { slot: recordingAudioSlot, owner: deps.recordings },
    'feedback-audio': { slot: feedbackAudioSlot, owner: deps.feedback },
  } satisfies Record<store.Slot, { slot: UploadSlot; owner: Owner }>;

  return {
    /**
     * The facts of a file, if the viewer may have it at this moment.
     * @throws AppError 'not-found', alike for a missing file, one of another type, or one that the viewer may not have;
     *   'unavailable' for a damaged one
     */
    async find(name: string, type: string | undefined, viewer: Viewer) {
      const file = await store.findFile(deps.db, name);
      if (!file) throw notFound();
      const { slot, owner } = owners[file.slot];
      if (slot.media !== type) throw notFound();
      const [mayOpen] = await owner.mayOpenFiles([{ viewer, name }]);
      if (!mayOpen) throw notFound();
      await deps.checks.mustBeWhole(file);
      return file;
    },

    /** The same for many open responses at once: one query per kind of file, however many there are. */
    async mayHave(asked: Asked[]): Promise<boolean[]> {
      if (asked.length === 0) return [];
      const slots = await store.findSlots(deps.db, [...new Set(asked.map(({ name }) => name))]);
      const may = asked.map(() => false);
      const byOwner = Map.groupBy(asked.keys(), (at) => {
        const slot = slots.get(asked[at]!.name);
        return slot ? owners[slot].owner : null;
      });
      for (const [owner, places] of byOwner) {
        const answers = await owner?.mayOpenFiles(places.map((at) => asked[at]!));
        places.forEach((at, index) => (may[at] = answers?.[index] === true));
      }
      return may;
    },

    /** The bytes of a file that was found. @throws as `FileChecks.open` does */
    open: deps.checks.open,
  };
}
