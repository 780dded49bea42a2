import { AppError, type ErrorCode } from '#shared/errors.ts';
import type { MediaRepository, NewMediaFile } from '#server/media/media-repository.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { DeleteClaimedUpload, UploadsService } from '#features/uploads/server/service.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '../limits.ts';

export type MelodyFiles = { audioFile?: StagedFile | undefined; thumbnail?: StagedFile | undefined };
type Part = keyof MelodyFiles;

/**
 * Fields about a melody's files, sent in addition to the typed fields. The upload ids refer to files uploaded
 * before the call.
 */
export type MelodyUploadFields = {
  audioUploadId?: string | undefined;
  thumbnailUploadId?: string | undefined;
  peaks?: string | undefined;
};

type NewFiles = {
  /** All files to store. */
  kept: NewMediaFile[];
  audio?: string;
  thumbnail?: string;
};

/**
 * Creates a function that inspects the files sent with a melody, either in the call itself or as earlier
 * uploads, and calls `keep` with them. If one file is rejected, the processed version of the other is
 * discarded. Only the rejected file's upload is deleted, because the form will be sent again with the other
 * upload. `keep` must call `takeUploads` within its transaction.
 * @throws AppError that names the part of the form
 */
export function createMelodyFilesProcessor(media: MediaRepository, uploads: UploadsService) {
  async function inspectFiles(
    { audioFile, thumbnail }: { [P in Part]: StagedFile | null },
    authorId: string,
    { audioUploadId, thumbnailUploadId, peaks }: MelodyUploadFields,
  ): Promise<NewFiles> {
    const kept: NewMediaFile[] = [];
    const found: NewFiles = { kept };
    try {
      // Inspects the picture first, so that its errors don't wait for the audio, which may take minutes.
      if (thumbnail) {
        const picture = await withFormPart(
          'thumbnail',
          () => media.thumbnail(thumbnail, melodyThumbnailSlot),
          () => uploads.cancel(authorId, thumbnailUploadId),
        );
        kept.push(picture);
        found.thumbnail = picture.row.name;
      }
      if (audioFile) {
        const audio = await withFormPart(
          'audioFile',
          () => media.audio(audioFile, melodyAudioSlot, authorId, peaks),
          () => uploads.cancel(authorId, audioUploadId),
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
    sending: MelodyUploadFields,
    authorId: string,
    keep: (found: NewFiles, takeUploads: DeleteClaimedUpload) => Promise<T>,
  ): Promise<T> => {
    const sentAudio = { ownerId: authorId, file: audioFile, uploadId: sending.audioUploadId };
    const sentPicture = { ownerId: authorId, file: thumbnail, uploadId: sending.thumbnailUploadId };
    return uploads.withFile(sentAudio, melodyAudioSlot, (audio, takeAudio) =>
      uploads.withFile(sentPicture, melodyThumbnailSlot, async (picture, takePicture) =>
        keep(await inspectFiles({ audioFile: audio, thumbnail: picture }, authorId, sending), async (tx) => {
          await takeAudio(tx);
          await takePicture(tx);
        }),
      ),
    );
  };
}

/**
 * Runs `look` and adds the form part to its AppErrors.
 * @param giveUp called if the file itself is rejected
 */
async function withFormPart<T>(part: Part, look: () => Promise<T>, giveUp: () => Promise<void>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (FILE_REJECTIONS.has(error.code)) await giveUp();
    throw error.atPath(part);
  }
}

const FILE_REJECTIONS = new Set<ErrorCode>(['bad-input', 'unsupported-media']);
