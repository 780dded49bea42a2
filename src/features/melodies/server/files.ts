import { AppError } from '../../../platform/contract/errors.ts';
import type { Media, NewMedia } from '../../../platform/server/media/keep.ts';
import type { StagedFile } from '../../../platform/server/media/staging.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '../limits.ts';

export type MelodyFiles = { audioFile?: StagedFile | undefined; thumbnail?: StagedFile | undefined };

type NewFiles = {
  /** All that is to be kept, a copy for playing among them. */
  kept: NewMedia[];
  /** The columns of a melody; absent: no audio was sent. */
  audio?: { audioUrl: string; playbackUrl: string | null };
  thumbnail?: string;
};

/**
 * Looks at the files that were sent with a melody. What it made for one is cleared away when it refuses another.
 * @throws AppError that names the part of the form
 */
export function newFilesWith(media: Media) {
  return async (
    { audioFile, thumbnail }: MelodyFiles,
    authorId: string,
    peaks?: string,
  ): Promise<NewFiles> => {
    const kept: NewMedia[] = [];
    const found: NewFiles = { kept };
    try {
      // The picture first: it is looked at in a moment, where the sound may take minutes.
      if (thumbnail) {
        const picture = await about('thumbnail', () => media.thumbnail(thumbnail, melodyThumbnailSlot));
        kept.push(picture);
        found.thumbnail = picture.row.name;
      }
      if (audioFile) {
        const { audio, playback } = await about('audioFile', () =>
          media.seekableAudio(audioFile, melodyAudioSlot, authorId, peaks),
        );
        kept.push(audio, ...(playback ? [playback] : []));
        found.audio = { audioUrl: audio.row.name, playbackUrl: playback?.row.name ?? null };
      }
      return found;
    } catch (error) {
      await media.discard(kept);
      throw error;
    }
  };
}

async function about<T>(part: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    throw error instanceof AppError ? error.about(part) : error;
  }
}
