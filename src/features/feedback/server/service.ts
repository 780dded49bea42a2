import { violates, type Db } from '../../../db/database.ts';
import { badInput, conflict, notFound } from '../../../platform/contract/errors.ts';
import type { Media } from '../../../platform/server/media/keep.ts';
import type { StagedFile } from '../../../platform/server/media/staging.ts';
import type { Caller } from '../../../platform/server/sessions.ts';
import type { RecordingsService } from '../../recordings/server/service.ts';
import type { FeedbackStatus } from '../contract.ts';
import { MISSING_FEEDBACK, feedbackAudioSlot } from '../limits.ts';
import * as store from './store.ts';

export type FeedbackService = ReturnType<typeof feedbackService>;

export type NewFeedback = {
  recordingId: number;
  writtenFeedback?: string | undefined;
  clientId?: string | undefined;
  peaks?: string | undefined;
};

type Person = Pick<Caller, 'id' | 'role'>;

const ORDER = ['unread', 'read', 'integrated'] as const satisfies FeedbackStatus[];

export function feedbackService({
  db,
  media,
  recordings,
}: {
  db: Db;
  media: Media;
  recordings: RecordingsService;
}) {
  return {
    /**
     * Answers a recording: the feedback, its sound and the recording's new status are one unit. A `clientId` that
     * this admin has sent before answers what was made the first time.
     * @throws AppError 'bad-input' (nothing said), 'not-found', 'conflict' (answered before), 'unsupported-media'
     */
    async send(reply: NewFeedback, audio: StagedFile | undefined, admin: Person) {
      const { clientId } = reply;
      const sentBefore = async () => (clientId ? store.findByClientId(db, admin.id, clientId) : null);
      const known = await sentBefore();
      if (known) return { feedback: known, isNew: false };

      const writtenFeedback = reply.writtenFeedback?.trim() || null;
      if (!writtenFeedback && !audio) throw badInput(MISSING_FEEDBACK);
      const recording = await recordings.find(reply.recordingId);
      if (!recording) throw notFound('No such recording');
      if (recording.status === 'reviewed') {
        // Perhaps by this very reply, which came twice at the same moment.
        const other = await sentBefore();
        if (other) return { feedback: other, isNew: false };
        throw answeredBefore();
      }

      const sound = audio && (await media.audio(audio, feedbackAudioSlot, admin.id, reply.peaks));
      try {
        const id = await media.keepWith(sound ? [sound] : [], async (tx) => {
          if (!(await recordings.markReviewed(tx, recording.id))) throw answeredBefore();
          return store.insertFeedback(tx, {
            recordingId: recording.id,
            writtenFeedback,
            audioFeedbackUrl: sound?.row.name ?? null,
            adminId: admin.id,
            clientId: clientId ?? null,
          });
        });
        return { feedback: (await store.findFeedback(db, id))!, isNew: true };
      } catch (error) {
        // A double click sends the same twice at the same moment: then the other one is the answer.
        const other = await sentBefore();
        if (other) return { feedback: other, isNew: false };
        // Deleted with its student while the reply was on its way.
        if (!(await recordings.find(recording.id))) throw notFound('No such recording');
        throw violates(error, 'feedback_one_for_each_recording') ? answeredBefore() : error;
      }
    },

    /** On the student's recordings, newest first, 200 at a time. */
    listOf: (student: Person, before?: number) => store.listFeedback(db, { studentId: student.id, before }),

    /** All that was given, newest first, 200 at a time. */
    listGiven: (before?: number) => store.listFeedback(db, { before }),

    countUnread: (student: Person) => store.countUnread(db, student.id),

    /**
     * Moves feedback forward; the same status again changes nothing.
     * @throws AppError 'not-found' (also another student's), 'bad-input' (backwards)
     */
    async setStatus(id: number, status: FeedbackStatus, student: Person) {
      await db.transaction(async (tx) => {
        const present = await store.lockStatus(tx, id, student.id);
        if (present === null) throw notFound('No such feedback');
        const step = ORDER.indexOf(status) - ORDER.indexOf(present);
        if (step < 0) throw badInput(`This feedback is ${present} already.`);
        if (step > 0) await store.setStatus(tx, id, status);
      });
      return (await store.findFeedback(db, id))!;
    },

    /** The spoken replies to a student, which nobody else changes until the transaction ends. */
    holdFilesOf: (tx: Db, studentId: string) => store.holdFilesOf(tx, studentId),

    async mayOpenFile(viewer: Person, name: string) {
      return viewer.role === 'admin' || store.isOnRecordingOf(db, viewer.id, name);
    },
  };
}

const answeredBefore = () => conflict('This recording has been answered already.');
