import { AppError, type ErrorCode } from '#shared/errors.ts';
import type { Media, NewMedia } from '#server/media/keep.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { TakeUpload, UploadsService } from '#features/uploads/server/service.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '../limits.ts';

export type MelodyFiles = { audioFile?: StagedFile | undefined; thumbnail?: StagedFile | undefined };
type Part = keyof MelodyFiles;

/** Fields sent with a melody in addition to the typed ones, when its files are not in the call itself. */
export type MelodySending = {
  audioUploadId?: string | undefined;
  thumbnailUploadId?: string | undefined;
  peaks?: string | undefined;
};

type NewFiles = {
  /** All files to store. */
  kept: NewMedia[];
  audio?: string;
  thumbnail?: string;
};

/**
 * Examines the files sent with a melody, in the call itself or as earlier uploads. If one file is refused, what was
 * made of the other is discarded. Only the refused file's upload is deleted, because the form is sent again with the
 * other.
 * @returns a function that calls `keep` with the files; `keep` must call `takeUploads` within its transaction
 * @throws AppError that names the part of the form
 */
export function newFilesWith(media: Media, uploads: UploadsService) {
  async function examine(
    { audioFile, thumbnail }: { [P in Part]: StagedFile | null },
    authorId: string,
    { audioUploadId, thumbnailUploadId, peaks }: MelodySending,
  ): Promise<NewFiles> {
    const kept: NewMedia[] = [];
    const found: NewFiles = { kept };
    try {
      // The picture comes first: it takes a moment, while the audio may take minutes.
      if (thumbnail) {
        const picture = await about(
          'thumbnail',
          () => media.thumbnail(thumbnail, melodyThumbnailSlot),
          () => uploads.giveUp(authorId, thumbnailUploadId),
        );
        kept.push(picture);
        found.thumbnail = picture.row.name;
      }
      if (audioFile) {
        const audio = await about(
          'audioFile',
          () => media.audio(audioFile, melodyAudioSlot, authorId, peaks),
          () => uploads.giveUp(authorId, audioUploadId),
        );
        kept.push(audio);
        found.audio = audio.row.name;
      }
      return found;
    } catch (error) {
      await media.discard(kept);
      throw error;
    }
  }

  return <T>(
    { audioFile, thumbnail }: MelodyFiles,
    sending: MelodySending,
    authorId: string,
    keep: (found: NewFiles, takeUploads: TakeUpload) => Promise<T>,
  ): Promise<T> => {
    const sentAudio = { ownerId: authorId, file: audioFile, uploadId: sending.audioUploadId };
    const sentPicture = { ownerId: authorId, file: thumbnail, uploadId: sending.thumbnailUploadId };
    return uploads.withFile(sentAudio, melodyAudioSlot, (audio, takeAudio) =>
      uploads.withFile(sentPicture, melodyThumbnailSlot, async (picture, takePicture) =>
        keep(await examine({ audioFile: audio, thumbnail: picture }, authorId, sending), async (tx) => {
          await takeAudio(tx);
          await takePicture(tx);
        }),
      ),
    );
  };
}

/**
 * Adds the form part to an AppError.
 * @param giveUp called if the file itself is refused
 */
async function about<T>(part: Part, look: () => Promise<T>, giveUp: () => Promise<void>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (REFUSALS.has(error.code)) await giveUp();
    throw error.about(part);
  }
}

const REFUSALS = new Set<ErrorCode>(['bad-input', 'unsupported-media']);
