import { violates, type Db } from '../../../db/database.ts';
import { AppError, badInput } from '../../../platform/contract/errors.ts';
import type { Media } from '../../../platform/server/media/keep.ts';
import type { StagedFile } from '../../../platform/server/media/staging.ts';
import type { Caller } from '../../../platform/server/sessions.ts';
import type { MelodiesService } from '../../melodies/server/service.ts';
import { recordingAudioSlot } from '../limits.ts';
import * as store from './store.ts';

export type RecordingsService = ReturnType<typeof recordingsService>;

export type NewRecording = {
  title: string;
  message?: string | undefined;
  melodyId?: number | undefined;
  clientId?: string | undefined;
  peaks?: string | undefined;
};

type Person = Pick<Caller, 'id' | 'role'>;

export function recordingsService({
  db,
  media,
  melodies,
}: {
  db: Db;
  media: Media;
  melodies: MelodiesService;
}) {
  return {
    /**
     * Keeps a recording, its sound and its row as one unit. A `clientId` that the student has sent before answers
     * what was made the first time, whatever else is sent with it. A melody that has gone, or that the student may
     * no longer hear, costs the link to it and never the recording.
     * @throws AppError 'bad-input', 'unsupported-media'
     */
    async submit(recording: NewRecording, audio: StagedFile | undefined, student: Person) {
      const { clientId } = recording;
      const known = clientId && (await store.findByClientId(db, student.id, clientId));
      if (known) return { recording: known, isNew: false };
      if (!audio) throw badInput('Please record or upload an audio file.');
      const sound = await media.audio(audio, recordingAudioSlot, student.id, recording.peaks);
      try {
        const id = await media.keepWith([sound], async (tx) => {
          const made = await store.insertRecording(tx, {
            title: recording.title,
            message: recording.message?.trim() || null,
            audioUrl: sound.row.name,
            duration: wholeSeconds(sound.row.durationMs),
            studentId: student.id,
            melodyId: recording.melodyId ? await melodies.hold(tx, student, recording.melodyId) : null,
            clientId: clientId ?? null,
          });
          if (made === null) throw new SentBefore();
          return made;
        });
        return { recording: (await store.findRecording(db, { id }))!, isNew: true };
      } catch (error) {
        // The account was deleted while the recording was on its way.
        if (violates(error, 'recordings_student_id_users_id_fk'))
          throw new AppError('unauthorized', 'Unauthorized');
        // The same recording came twice at the same moment: the other one is the one.
        if (!(error instanceof SentBefore) || !clientId) throw error;
        return { recording: (await store.findByClientId(db, student.id, clientId))!, isNew: false };
      }
    },

    /** Newest first, 200 at a time. */
    listOf: (student: Person, before?: number) => store.listOfStudent(db, student.id, before),

    /** Oldest first. */
    listPending: () => store.listPending(db),

    /** Within the transaction that answers it. @returns false when it was answered before or does not exist */
    markReviewed: (tx: Db, id: number) => store.markReviewed(tx, id),

    find: (id: number) => store.findRecording(db, { id }),

    /** The files of all that a student has sent, which nobody else changes until the transaction ends. */
    holdFilesOf: (tx: Db, studentId: string) => store.holdFilesOf(tx, studentId),

    async mayOpenFile(viewer: Person, name: string) {
      return viewer.role === 'admin' || store.isRecordingOf(db, viewer.id, name);
    },
  };
}

/** Thrown within the transaction, so that the second file is taken back. */
class SentBefore extends Error {}

/** To the nearest, at least one. */
export const wholeSeconds = (ms: number | null | undefined) => Math.max(1, Math.round((ms ?? 0) / 1000));
