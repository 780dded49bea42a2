import { isConstraintViolationOf, type Db } from '#server/db/database.ts';
import { type BodyOf, assertExhaustive } from '#shared/body.ts';
import { formatDisplayName } from '#shared/display-name.ts';
import { createBadInputError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import type { MediaRepository } from '#server/media/media-repository.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { AuditEntry } from '#features/audit/contract.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import { formatMarkTime } from '#features/feedback/marks.ts';
import type { LevelsService } from '#features/people/levels/server/service.ts';
import { melodyAudioSlot } from '#features/melodies/limits.ts';
import type { agreementsApi, RequestedAgreement } from '../contract.ts';
import {
  MAX_OPEN_AGREEMENT_REQUESTS,
  MAX_SHARED_PASSAGE_SECONDS,
  MIN_SHARED_PASSAGE_SECONDS,
} from '../limits.ts';
import * as store from './store.ts';

export type AgreementsService = ReturnType<typeof createAgreementsService>;

type NewQuestion = BodyOf<typeof agreementsApi.ask>;
type Consent = BodyOf<typeof agreementsApi.agree>;
type Student = Actor & Pick<Caller, 'role'>;

/**
 * Creates the service for students' written agreements to share a passage of a recording, next to a teaching
 * note, with everyone who may hear the melody. The passage has a file only while the agreement is in force.
 */
export function createAgreementsService(deps: {
  db: Db;
  media: MediaRepository;
  levels: LevelsService;
  audit: AuditService;
  clock: Clock;
}) {
  const { db, media, levels, audit, clock } = deps;

  async function announceAgreementChange(tx: Db, studentId: string) {
    await announceChange(tx, { to: studentId, refreshes: ['/api/agreements'] });
    await announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/admin/agreements'] });
  }

  const recordInAudit = (
    tx: Db,
    actor: Actor,
    action: AuditEntry['action'],
    of: Pick<store.Agreement, 'start' | 'end' | 'student'> & { recording: { title: string } },
  ) =>
    audit.record(
      tx,
      actor,
      action,
      formatDisplayName(of.student),
      `${of.recording.title}, ${formatMarkTime(of)}`,
    );

  /** @throws AppError 'not-found' */
  async function lock(tx: Db, id: number, studentId: string | null) {
    const found = await store.lockAgreement(tx, id, studentId);
    if (!found) throw agreementNotFound();
    return found;
  }

  /**
   * Unregisters the file of a passage that is no longer shared, and notifies open players.
   * @returns the files to remove once the transaction has committed
   */
  async function unregisterPassage(
    tx: Db,
    { audioUrl, levelId }: { audioUrl: string | null; levelId: number },
  ) {
    if (audioUrl) await levels.announceMelodies(tx, [levelId]);
    return media.deleteRows(tx, [audioUrl]);
  }

  /**
   * Notifies open players that a student was disabled or enabled, because passages of a disabled student are
   * withheld.
   * @returns the passages, locked until the transaction ends
   */
  async function announcePassages(tx: Db, studentId: string) {
    const held = await store.lockPassagesOfStudent(tx, studentId);
    const withAudio = held.filter(({ audioUrl }) => audioUrl !== null);
    if (withAudio.length > 0)
      await levels.announceMelodies(tx, [...new Set(withAudio.map(({ levelId }) => levelId))]);
    return held;
  }

  return {
    /**
     * Asks a student to share a passage. A repeated call with the same `clientId` does not ask again.
     * @throws AppError 'not-found'; 'bad-input' if the passage is outside the recording, too short or too
     *   long; 'conflict' if the note is on another melody or has a passage, if the recording has no feedback,
     *   or if the student can't be asked
     */
    async ask(question: NewQuestion, admin: Actor): Promise<{ agreement: ListedAgreement; isNew: boolean }> {
      const { clientId, noteId, recordingId, start, end, wantsName, ...rest } = question;
      assertExhaustive(rest);
      const findExisting = () => store.findAgreementByClientId(db, clientId);
      const known = await findExisting();
      if (known) return { agreement: known, isNew: false };
      try {
        await db.transaction(async (tx) => {
          const recording = await store.findRecordingAndLockStudent(tx, recordingId);
          const melodyId = await store.findMelodyIdOfNote(tx, noteId);
          if (!recording || melodyId === null)
            throw createNotFoundError('This note or recording no longer exists.');
          assertValidPassage({ start, end }, recording.durationMs);
          if (recording.melodyId !== melodyId)
            throw createConflictError('This note belongs to another melody.');
          if (!recording.isAnswered)
            throw createConflictError('Please send feedback on this recording first.');
          if (!recording.student.isActive)
            throw createConflictError('This student’s account is disabled, so they can’t agree.');
          if (
            (await store.countOpenAgreementRequests(tx, recording.studentId)) >= MAX_OPEN_AGREEMENT_REQUESTS
          )
            throw createConflictError(
              `This student already has ${MAX_OPEN_AGREEMENT_REQUESTS} requests to answer.`,
            );
          const row = { clientId, noteId, recordingId, adminId: admin.id, start, end, wantsName };
          await store.insertAgreement(tx, { ...row, askedAt: clock() });
          await recordInAudit(tx, admin, 'passage-asked', {
            start,
            end,
            student: recording.student,
            recording,
          });
          await announceAgreementChange(tx, recording.studentId);
        });
      } catch (error) {
        // Returns the existing row if a concurrent call with the same `clientId` came first.
        const other = isConstraintViolationOf(error, 'agreements_client_id_unique')
          ? await findExisting()
          : null;
        if (other) return { agreement: other, isNew: false };
        if (isConstraintViolationOf(error, 'agreements_asked_once'))
          throw createConflictError(
            'This student has already been asked about this recording and this note.',
          );
        if (isConstraintViolationOf(error, 'agreements_one_of_note'))
          throw createConflictError('This note already has a passage, or a student has been asked for one.');
        if (DELETED_CONSTRAINTS.some((constraint) => isConstraintViolationOf(error, constraint)))
          throw createNotFoundError('This note or recording no longer exists.');
        throw error;
      }
      return { agreement: (await findExisting()) ?? throwAgreementNotFound(), isNew: true };
    },

    listRequests: (which: { recordingId?: number | undefined; before?: number | undefined }) =>
      store.listAgreementRequests(db, which),

    /**
     * Deletes a question or an agreement, with the file of its passage.
     * @throws AppError 'not-found'; 'conflict' if the student has declined or revoked, because the row must
     *   stay, so that the student is not asked again
     */
    async withdraw(id: number, admin: Actor) {
      const forgotten = await db.transaction(async (tx) => {
        const found = await lock(tx, id, null);
        if (found.state === 'declined' || found.state === 'revoked')
          throw createConflictError(
            'The student has said no or stopped sharing, so there is nothing to withdraw.',
          );
        await store.deleteAgreement(tx, id);
        await recordInAudit(tx, admin, 'passage-withdrawn', found);
        await announceAgreementChange(tx, found.studentId);
        return unregisterPassage(tx, found);
      });
      await media.removeFiles(forgotten);
    },

    /** Returns a page of the student's open questions and current agreements, newest first. */
    listForStudent: (student: Pick<Student, 'id'>, before?: number) =>
      store.listAgreementsOfStudent(db, student.id, before),

    /** Returns the number of questions that the student has not answered. */
    countWaiting: (student: Pick<Student, 'id'>) => store.countOpenAgreementRequests(db, student.id),

    /** Returns a page of all questions that the student has ever been asked, newest first. */
    listHistory: (student: Pick<Student, 'id'>, before?: number) =>
      store.listAgreementHistory(db, student.id, before),

    /**
     * Copies the passage from the recording to a file of its own and shares it. A repeated call changes
     * nothing.
     * @throws AppError 'not-found'; 'conflict' if the student has declined or revoked, or if the note's text
     * differs from what the student read; 'unsupported-media' if the recording can't be decoded
     */
    async agree(id: number, { signature, withName, noteText, ...rest }: Consent, student: Student) {
      assertExhaustive(rest);
      const found = await store.findAgreement(db, id, student.id);
      if (!found) throw agreementNotFound();
      if (!canStillAgree(found)) return;
      const { start, end, recording } = found;
      const sound = await media.passage(recording.audioUrl, { start, end }, melodyAudioSlot, student.id);
      try {
        await media.saveInTransaction([sound], async (tx) => {
          const asked = await lock(tx, id, student.id);
          if (!canStillAgree(asked)) throw new AlreadyAgreedError();
          if (noteText !== undefined && noteText !== asked.noteText)
            throw createConflictError('The note has changed. Please read it again.');
          await store.updateAgreement(tx, id, {
            state: 'agreed',
            signature,
            name: asked.wantsName && withName ? formatDisplayName(asked.student) : null,
            answeredAt: clock(),
            audioUrl: sound.row.name,
          });
          await recordInAudit(tx, student, 'passage-agreed', asked);
          await announceAgreementChange(tx, student.id);
          await levels.announceMelodies(tx, [asked.levelId]);
        });
      } catch (error) {
        if (!(error instanceof AlreadyAgreedError)) throw error;
      }
    },

    /**
     * Declines a question. A repeated call changes nothing.
     * @throws AppError 'not-found'; 'conflict' if the student has already agreed
     */
    decline: (id: number, student: Student) =>
      db.transaction(async (tx) => {
        const found = await lock(tx, id, student.id);
        if (found.state === 'declined') return;
        if (found.state !== 'asked') throw createConflictError('You have already agreed to this.');
        await store.updateAgreement(tx, id, { state: 'declined', answeredAt: clock() });
        await recordInAudit(tx, student, 'passage-declined', found);
        await announceAgreementChange(tx, student.id);
      }),

    /**
     * Stops sharing the passage and deletes its file. Further requests for the file are rejected, and downloads
     * in progress are cut off. A repeated call changes nothing.
     * @throws AppError 'not-found'; 'conflict' if there is no agreement
     */
    async revoke(id: number, student: Student) {
      const forgotten = await db.transaction(async (tx) => {
        const found = await lock(tx, id, student.id);
        if (found.state === 'revoked') return [];
        if (found.state !== 'agreed') throw createConflictError('You haven’t agreed to this.');
        await store.updateAgreement(tx, id, {
          state: 'revoked',
          revokedAt: clock(),
          name: null,
          audioUrl: null,
        });
        await recordInAudit(tx, student, 'passage-revoked', found);
        await announceAgreementChange(tx, student.id);
        return unregisterPassage(tx, found);
      });
      await media.removeFiles(forgotten);
    },

    announcePassages,

    /**
     * Notifies open players and returns the file names of the student's passages (null for an agreement
     * without a file). The agreements stay locked until the transaction ends.
     */
    lockFilesOf: async (tx: Db, studentId: string) =>
      (await announcePassages(tx, studentId)).map(({ audioUrl }) => audioUrl),
  };
}

type ListedAgreement = Omit<RequestedAgreement, 'askedAt' | 'answeredAt'> & {
  askedAt: Date;
  answeredAt: Date | null;
};

/**
 * @returns false if the student has already agreed
 * @throws AppError 'conflict' if the student has declined or revoked
 */
function canStillAgree({ state }: Pick<store.Agreement, 'state'>) {
  if (state === 'declined' || state === 'revoked')
    throw createConflictError('You have already said no to this, or stopped sharing it.');
  return state === 'asked';
}

/**
 * Thrown to roll back the transaction of a second, concurrent call, so that the file of that call is removed.
 */
class AlreadyAgreedError extends Error {}

function assertValidPassage({ start, end }: { start: number; end: number }, durationMs: number | null) {
  const seconds = end - start;
  if (seconds > MAX_SHARED_PASSAGE_SECONDS)
    throw createBadInputError(`A passage can be at most ${MAX_SHARED_PASSAGE_SECONDS} seconds long.`, [
      { path: 'end', message: 'too long' },
    ]);
  // Accepts an `end` after the end of the recording, because the passage then ends with the recording.
  if (seconds >= MIN_SHARED_PASSAGE_SECONDS && start <= (durationMs ?? 0) / 1000 - MIN_SHARED_PASSAGE_SECONDS)
    return;
  throw createBadInputError('This passage isn’t in the recording.', [
    { path: 'start', message: 'not in the recording' },
  ]);
}

/** Constraints that are violated if the note, the recording or its student has just been deleted. */
const DELETED_CONSTRAINTS = [
  'agreements_note_id_teaching_notes_id_fk',
  'agreements_recording_id_recordings_id_fk',
];

const agreementNotFound = () => createNotFoundError('This request no longer exists.');
const throwAgreementNotFound = (): never => {
  throw agreementNotFound();
};
