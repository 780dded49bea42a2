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
/** What belongs to whom is the owner's to say. */
type Owner = { mayOpenFile(viewer: Viewer, name: string): Promise<boolean> };

type Deps = { db: Db; checks: FileChecks; melodies: Owner; recordings: Owner; feedback: Owner };

export function filesService(deps: Deps) {
  const owners = {
    'melody-audio': { slot: melodyAudioSlot, owner: deps.melodies },
    // Made from the audio, so that browsers seek in it exactly.
    'melody-playback': { slot: melodyAudioSlot, owner: deps.melodies },
    'melody-thumbnail': { slot: melodyThumbnailSlot, owner: deps.melodies },
    'recording-audio': { slot: recordingAudioSlot, owner: deps.recordings },
    'feedback-audio': { slot: feedbackAudioSlot, owner: deps.feedback },
  } satisfies Record<store.Slot, { slot: UploadSlot; owner: Owner }>;

  return {
    /**
     * What is known of a file, if the viewer may have it at this moment.
     * @throws AppError 'not-found', alike for a file that is not there, not of this type, or not for the viewer;
     *   'unavailable' for one that is damaged
     */
    async find(name: string, type: string | undefined, viewer: Viewer) {
      const file = await store.findFile(deps.db, name);
      if (!file) throw notFound();
      const { slot, owner } = owners[file.slot];
      if (slot.media !== type || !(await owner.mayOpenFile(viewer, name))) throw notFound();
      await deps.checks.mustBeWhole(file);
      return { ...file, media: slot.media };
    },

    /** The bytes of a file that was found. @throws as `FileChecks.open` does */
    open: deps.checks.open,
  };
}
