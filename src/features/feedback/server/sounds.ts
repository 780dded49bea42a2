import type { Db } from '#server/db/database.ts';
import { createNotFoundError } from '#shared/errors.ts';
import type { MediaRepository, NewMediaFile } from '#server/media/media-repository.ts';
import type { StagedFile } from '#server/media/staging.ts';
import type { Caller } from '#server/auth/sessions.ts';
import {
  RetryableUploadError,
  type DeleteClaimedUpload,
  type UploadsService,
} from '#features/uploads/server/service.ts';
import type { Mark } from '../contract.ts';
import { feedbackAudioSlot } from '../limits.ts';
import * as store from './store.ts';

type Admin = Pick<Caller, 'id'>;

export type FeedbackSoundsService = ReturnType<typeof createFeedbackSoundsService>;

/** The new audio of a call, inspected but not stored yet. */
export type NewSounds = {
  /** Must be saved in the transaction in which `save` runs. */
  media: NewMediaFile[];
  /** File name of the new spoken part; null if there is none. */
  replyName: string | null;
  /**
   * Claims the uploads, stores the new voice comments, and deletes those that no mark refers to any more.
   * Requires the lock of the recording or its feedback.
   * @returns the files to remove once the transaction has committed
   * @throws RetryableUploadError if an upload or a voice comment is missing
   */
  save(tx: Db): Promise<string[]>;
};

type NewVoice = { id: string; sound: NewMediaFile; take: DeleteClaimedUpload };

/**
 * Creates the service for the audio of feedback: the spoken part, which is sent with the call or uploaded
 * before it, and the voice comments. A mark refers to its voice comment by the id of the upload.
 */
export function createFeedbackSoundsService({
  db,
  media,
  uploads,
}: {
  db: Db;
  media: MediaRepository;
  uploads: UploadsService;
}) {
  /** Inspects the uploads one after another and passes all of them to `use`. */
  const withVoices = <T>(
    [id, ...others]: string[],
    admin: Admin,
    use: (voices: NewVoice[]) => Promise<T>,
  ): Promise<T> =>
    id === undefined
      ? use([])
      : uploads.withFile(
          { ownerId: admin.id, file: undefined, uploadId: id },
          feedbackAudioSlot,
          async (file, take) => {
            const sound = await media.audio(file!, feedbackAudioSlot, admin.id);
            return withVoices(others, admin, (voices) => use([{ id, sound, take }, ...voices]));
          },
        );

  async function saveVoices(tx: Db, recordingId: number, named: string[], voices: NewVoice[]) {
    for (const { take } of voices) await take(tx);
    await store.insertVoiceComments(
      tx,
      voices.map(({ id, sound }) => ({ recordingId, id, audioUrl: sound.row.name })),
    );
    const files = await deleteOtherVoiceComments(tx, recordingId, named);
    if ((await store.listVoiceIds(tx, recordingId)).length < named.length)
      throw new RetryableUploadError(MISSING_VOICE);
    return files;
  }

  const deleteOtherVoiceComments = async (tx: Db, recordingId: number, ids: string[]) =>
    media.deleteRows(tx, await store.deleteOtherVoiceComments(tx, recordingId, ids));

  return {
    /**
     * Inspects the new audio of a call and passes it to `use`. Skips voice comments that are already stored.
     * Discards staged files when `use` ends, successfully or not.
     * @param file the spoken part, if it was sent with the call
     * @param marks null if the marks stay unchanged
     * @throws AppError 'conflict' (an upload is incomplete), 'unsupported-media', 'bad-input' (too long)
     */
    async withSounds<T>(
      { uploadId, peaks }: { uploadId?: string | undefined; peaks?: string | undefined },
      file: StagedFile | undefined,
      { recordingId, marks, admin }: { recordingId: number; marks: readonly Mark[] | null; admin: Admin },
      use: (sounds: NewSounds) => Promise<T>,
    ): Promise<T> {
      const named = getVoiceIds(marks ?? []);
      const known = new Set(named.length === 0 ? [] : await store.listVoiceIds(db, recordingId));
      const isNew = (id: string) => !known.has(id);
      return uploads.withFile(
        { ownerId: admin.id, file, uploadId },
        feedbackAudioSlot,
        async (staged, takeReply) => {
          const reply = staged && (await media.audio(staged, feedbackAudioSlot, admin.id, peaks));
          return withVoices(named.filter(isNew), admin, (voices) =>
            use({
              media: [...(reply ? [reply] : []), ...voices.map(({ sound }) => sound)],
              replyName: reply?.row.name ?? null,
              async save(tx) {
                await takeReply(tx);
                return marks === null ? [] : saveVoices(tx, recordingId, named, voices);
              },
            }),
          );
        },
      );
    },

    /**
     * Runs `commit`. When it has succeeded or failed permanently, the uploads of the call no longer count as
     * open.
     */
    settle: <T>(
      admin: Admin,
      { uploadId, marks = [] }: { uploadId?: string | undefined; marks?: readonly Mark[] | undefined },
      commit: () => Promise<T>,
    ): Promise<T> =>
      [uploadId, ...getVoiceIds(marks)].reduce(
        (run, id) => () => uploads.settle(admin.id, id, run),
        commit,
      )(),

    /**
     * Returns the file name of a voice comment. Does not check access, because only teachers' calls reach it,
     * and teachers may open all voice comments.
     * @throws AppError 'not-found'
     */
    async getVoiceFile(recordingId: number, id: string) {
      const name = await store.findVoiceFile(db, recordingId, id);
      if (name === null) throw createNotFoundError(MISSING_VOICE);
      return name;
    },

    /** @returns the files to remove once the transaction has committed */
    deleteVoices: (tx: Db, recordingId: number) => deleteOtherVoiceComments(tx, recordingId, []),
  };
}

const getVoiceIds = (marks: readonly Mark[]) => [...new Set(marks.flatMap(({ voice }) => voice ?? []))];

const MISSING_VOICE = 'A voice comment is missing on the server. Please send the feedback again.';
