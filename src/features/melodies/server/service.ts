import { violates, type Db } from '../../../db/database.ts';
import { notFound } from '../../../platform/contract/errors.ts';
import type { Media, NewMedia } from '../../../platform/server/media/keep.ts';
import type { StagedFile } from '../../../platform/server/media/staging.ts';
import type { LevelsService } from '../../levels/server/service.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '../limits.ts';
import * as store from './store.ts';

export type MelodiesService = ReturnType<typeof melodiesService>;

export type NewMelody = {
  title: string;
  transmissionLevelId: number;
  description?: string | undefined;
  vimeoUrl?: string | undefined;
  melodyText?: string | undefined;
  peaks?: string | undefined;
};

export type MelodyFiles = { audioFile?: StagedFile | undefined; thumbnail?: StagedFile | undefined };

export function melodiesService({ db, media, levels }: { db: Db; media: Media; levels: LevelsService }) {
  async function get(viewer: store.Viewer, id: number) {
    const melody = await store.findMelody(db, viewer, id);
    if (!melody) throw notFound('No such melody');
    return melody;
  }

  return {
    /** Newest first; of a level that the viewer may not hear, or that does not exist: none. */
    list: (viewer: store.Viewer, levelId?: number) => store.listMelodies(db, viewer, levelId),

    /** @throws AppError 'not-found', also for a melody that the viewer may not hear */
    get,

    /** For what refers to a melody, within its transaction: null for one that is gone or may not be heard. */
    hold: (tx: Db, viewer: store.Viewer, id: number) => store.holdMelody(tx, viewer, id),

    mayOpenFile: (viewer: store.Viewer, name: string) => store.hasFile(db, viewer, name),

    /** @throws AppError 'not-found' for an unknown level, 'unsupported-media' or 'bad-input' for the files */
    async add(melody: NewMelody, files: MelodyFiles, author: store.Viewer) {
      const known = await levels.list();
      if (!known.some((level) => level.id === melody.transmissionLevelId)) throw noSuchLevel();
      const kept: NewMedia[] = [];
      const audio =
        files.audioFile && (await media.audio(files.audioFile, melodyAudioSlot, author.id, melody.peaks));
      if (audio) kept.push(audio);
      const thumbnail = files.thumbnail && (await media.thumbnail(files.thumbnail, melodyThumbnailSlot));
      if (thumbnail) kept.push(thumbnail);
      try {
        const id = await media.keepWith(kept, (tx) =>
          store.insertMelody(tx, {
            title: melody.title,
            description: melody.description?.trim() || null,
            transmissionLevelId: melody.transmissionLevelId,
            vimeoUrl: melody.vimeoUrl || null,
            melodyText: melody.melodyText || null,
            audioUrl: audio?.row.name ?? null,
            thumbnailUrl: thumbnail?.row.name ?? null,
            createdBy: author.id,
          }),
        );
        return await get(author, id);
      } catch (error) {
        throw levelIsGone(error) ? noSuchLevel() : error;
      }
    },
  };
}

const noSuchLevel = () => notFound('No such transmission level');

/** The level was deleted while the melody was on its way. */
const levelIsGone = (error: unknown) =>
  violates(error, 'melodies_transmission_level_id_transmission_levels_id_fk');
