import type { Db } from '#server/db/database.ts';
import { notFound } from '#shared/errors.ts';
import type { Media, NewMedia } from '#server/media/keep.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { UploadStays, type TakeUpload, type UploadsService } from '#features/uploads/server/service.ts';
import type { Mark } from '#features/feedback/contract.ts';
import { feedbackAudioSlot } from '#features/feedback/limits.ts';
import * as store from './store.ts';

type Admin = Pick<Caller, 'id'>;

/** What the marks of an answer say by voice. */
export type NewVoices = {
  /** The sounds that are not stored yet; to be saved in the transaction that calls `keep`. */
  media: NewMedia[];
  /**
   * Stores the new voices, and deletes those that no mark names any more. To be called under the lock of the recording
   * or its feedback.
   * @returns the files to remove once the transaction has committed
   * @throws UploadStays when a voice has gone meanwhile
   */
  keep(tx: Db): Promise<string[]>;
};

type Arrived = { id: string; sound: NewMedia; take: TakeUpload };

/** The spoken parts of marks: files of their recording, which the marks name by the ids of their uploads. */
export function voicesIn(deps: { db: Db; media: Media; uploads: UploadsService }) {
  const { db, media, uploads } = deps;

  /** Forgets all voices but these. @returns the files to remove once the transaction has committed */
  const forgetOthers = async (tx: Db, recordingId: number, ids: string[]) =>
    media.forget(tx, await store.deleteOthers(tx, recordingId, ids));

  return {
    /**
     * Passes to `use` the voices of an answer: those that its recording has already stay, the others have been uploaded
     * before. A sound that was examined is discarded when `use` ends, successfully or not.
     * @param marks null where the marks stay as they are
     * @throws AppError 'conflict' (an upload is not complete), 'unsupported-media', 'bad-input' (too long)
     */
    async withVoices<T>(
      { recordingId, marks, admin }: { recordingId: number; marks: readonly Mark[] | null; admin: Admin },
      use: (voices: NewVoices) => Promise<T>,
    ): Promise<T> {
      if (marks === null) return use({ media: [], keep: () => Promise.resolve([]) });
      const named = idsIn(marks);
      const known = new Set(named.length === 0 ? [] : await store.idsOf(db, recordingId));
      const upload = ([id, ...others]: string[], arrived: Arrived[]): Promise<T> =>
        id === undefined
          ? use({ media: arrived.map(({ sound }) => sound), keep: (tx) => keep(tx, arrived) })
          : uploads.withFile(
              { ownerId: admin.id, file: undefined, uploadId: id },
              feedbackAudioSlot,
              async (file, take) => {
                const sound = await media.audio(file!, feedbackAudioSlot, admin.id);
                return upload(others, [...arrived, { id, sound, take }]);
              },
            );
      const keep = async (tx: Db, arrived: Arrived[]) => {
        const rows = arrived.map(({ id, sound }) => ({ recordingId, id, audioUrl: sound.row.name }));
        for (const { take } of arrived) await take(tx);
        await store.insertVoices(tx, rows);
        const files = await forgetOthers(tx, recordingId, named);
        const kept = await store.idsOf(tx, recordingId);
        if (kept.length < named.length) throw new UploadStays(GONE);
        return files;
      };
      return upload(
        named.filter((id) => !known.has(id)),
        [],
      );
    },

    /** Once the call has succeeded or been refused for good, its uploads no longer count as open. */
    settle: <T>(admin: Admin, marks: readonly Mark[] | undefined, commit: () => Promise<T>): Promise<T> =>
      idsIn(marks ?? []).reduce((run, id) => () => uploads.settle(admin.id, id, run), commit)(),

    /** For a teacher, who may open them all. @throws AppError 'not-found' */
    async fileOf(recordingId: number, id: string) {
      const name = await store.fileOf(db, recordingId, id);
      if (name === null) throw notFound(GONE);
      return name;
    },

    forgetAll: (tx: Db, recordingId: number) => forgetOthers(tx, recordingId, []),
    holdFileOf: store.holdFileOf,
    holdFilesOf: store.holdFilesOf,
  };
}

const idsIn = (marks: readonly Mark[]) => [...new Set(marks.flatMap(({ voice }) => voice ?? []))];

const GONE = 'A voice at one of the moments is no longer here. Please send it again.';
