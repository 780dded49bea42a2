import { violates, type Db } from '#server/db/database.ts';
import { type BodyOf, nothingLeft } from '#shared/body.ts';
import { displayName } from '#shared/display-name.ts';
import { badInput, conflict, notFound } from '#shared/errors.ts';
import { ADMINS, announceChange } from '#server/db/changes.ts';
import type { Clock } from '#server/clock.ts';
import type { Media } from '#server/media/keep.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { AuditEntry } from '#features/audit/contract.ts';
import type { Actor, AuditService } from '#features/audit/server/service.ts';
import { placeOf } from '#features/feedback/marks.ts';
import type { LevelsService } from '#features/people/levels/server/service.ts';
import { melodyAudioSlot } from '#features/melodies/limits.ts';
import type { agreementsApi, AskedAgreement } from '../contract.ts';
import { ASKED_MAX, PASSAGE_SECONDS_MAX, PASSAGE_SECONDS_MIN } from '../limits.ts';
import * as store from './store.ts';

export type AgreementsService = ReturnType<typeof agreementsService>;

type Question = BodyOf<typeof agreementsApi.ask>;
type Consent = BodyOf<typeof agreementsApi.agree>;
type Student = Actor & Pick<Caller, 'role'>;

/**
 * Manages students' written agreements to share a passage of a recording, beside a teaching note, with everyone who may
 * hear the melody. The passage has a file only while the agreement is in force.
 */
export function agreementsService(deps: {
  db: Db;
  media: Media;
  levels: LevelsService;
  audit: AuditService;
  clock: Clock;
}) {
  const { db, media, levels, audit, clock } = deps;

  async function tell(tx: Db, studentId: string) {
    await announceChange(tx, { to: studentId, refreshes: ['/api/agreements'] });
    await announceChange(tx, { to: ADMINS, refreshes: ['/api/admin/agreements'] });
  }

  const write = (
    tx: Db,
    actor: Actor,
    action: AuditEntry['action'],
    of: Pick<store.Agreement, 'start' | 'end' | 'student'> & { recording: { title: string } },
  ) => audit.record(tx, actor, action, displayName(of.student), `${of.recording.title}, ${placeOf(of)}`);

  /** @throws AppError 'not-found' */
  async function lock(tx: Db, id: number, studentId: string | null) {
    const found = await store.lockAgreement(tx, id, studentId);
    if (!found) throw noSuchAgreement();
    return found;
  }

  /** Unregisters the file of a passage that is no longer shared, and returns it for removal after the commit. */
  async function forget(tx: Db, { audioUrl, levelId }: { audioUrl: string | null; levelId: number }) {
    if (audioUrl) await levels.tellOfMelodies(tx, [levelId]);
    return media.forget(tx, [audioUrl]);
  }

  /**
   * Notifies open players about a student's passages, which are withheld while the student is disabled.
   * @returns the passages, locked until the transaction ends
   */
  async function announcePassages(tx: Db, studentId: string) {
    const held = await store.holdOfStudent(tx, studentId);
    const heard = held.filter(({ audioUrl }) => audioUrl !== null);
    if (heard.length > 0) await levels.tellOfMelodies(tx, [...new Set(heard.map(({ levelId }) => levelId))]);
    return held;
  }

  return {
    /**
     * Asks a student to share a passage. Repeating the call with the same `clientId` asks only once.
     * @throws AppError 'not-found'; 'bad-input' for a passage outside the recording; 'conflict' if it can't be asked
     * now
     */
    async ask(question: Question, admin: Actor): Promise<{ agreement: Asked; isNew: boolean }> {
      const { clientId, noteId, recordingId, start, end, wantsName, ...rest } = question;
      nothingLeft(rest);
      const made = () => store.findByClientId(db, clientId);
      const known = await made();
      if (known) return { agreement: known, isNew: false };
      try {
        await db.transaction(async (tx) => {
          const recording = await store.holdRecording(tx, recordingId);
          const melodyId = await store.findMelodyOf(tx, noteId);
          if (!recording || melodyId === null) throw notFound('This note or recording no longer exists.');
          mustBePassage({ start, end }, recording.durationMs);
          if (recording.melodyId !== melodyId) throw conflict('This note belongs to another melody.');
          if (!recording.isAnswered) throw conflict('Please send feedback on this recording first.');
          if (!recording.student.isActive)
            throw conflict('This student’s account is disabled, so they can’t agree.');
          if ((await store.countAsked(tx, recording.studentId)) >= ASKED_MAX)
            throw conflict(`This student already has ${ASKED_MAX} requests to answer.`);
          const row = { clientId, noteId, recordingId, adminId: admin.id, start, end, wantsName };
          await store.insertAgreement(tx, { ...row, askedAt: clock() });
          await write(tx, admin, 'passage-asked', { start, end, student: recording.student, recording });
          await tell(tx, recording.studentId);
        });
      } catch (error) {
        // A concurrent call with the same `clientId` won.
        const other = violates(error, 'agreements_client_id_unique') ? await made() : null;
        if (other) return { agreement: other, isNew: false };
        if (violates(error, 'agreements_asked_once'))
          throw conflict('This student has already been asked about this recording and this note.');
        if (violates(error, 'agreements_one_of_note'))
          throw conflict('This note already has a passage, or a student has been asked for one.');
        if (GONE.some((constraint) => violates(error, constraint)))
          throw notFound('This note or recording no longer exists.');
        throw error;
      }
      return { agreement: (await made()) ?? gone(), isNew: true };
    },

    listAsked: (which: { recordingId?: number | undefined; before?: number | undefined }) =>
      store.listAsked(db, which),

    /**
     * @throws AppError 'not-found'; 'conflict' if declined or revoked, which is kept so that the same is not asked
     * again
     */
    async withdraw(id: number, admin: Actor) {
      const forgotten = await db.transaction(async (tx) => {
        const found = await lock(tx, id, null);
        if (found.state === 'declined' || found.state === 'revoked')
          throw conflict('The student has said no, so there is nothing to take back.');
        await store.deleteAgreement(tx, id);
        await write(tx, admin, 'passage-withdrawn', found);
        await tell(tx, found.studentId);
        return forget(tx, found);
      });
      await media.removeFiles(forgotten);
    },

    /** Returns a page of the student's open questions and current agreements, newest first. */
    listOf: (student: Pick<Student, 'id'>, before?: number) => store.listOf(db, student.id, before),

    /** Returns the number of questions the student has not answered. */
    countWaiting: (student: Pick<Student, 'id'>) => store.countAsked(db, student.id),

    /** Returns a page of everything the student was ever asked, newest first. */
    listEver: (student: Pick<Student, 'id'>, before?: number) => store.listEver(db, student.id, before),

    /**
     * Cuts the passage out of the recording and shares it. Repeating the call changes nothing.
     * @throws AppError 'not-found'; 'conflict' if declined or revoked, or if the note's text differs from what the
     * student read; 'unsupported-media' if the recording can't be decoded
     */
    async agree(id: number, { signature, withName, noteText, ...rest }: Consent, student: Student) {
      nothingLeft(rest);
      const found = await store.findAgreement(db, id, student.id);
      if (!found) throw noSuchAgreement();
      if (!mayStillAgree(found)) return;
      const { start, end, recording } = found;
      const sound = await media.passage(recording.audioUrl, { start, end }, melodyAudioSlot, student.id);
      try {
        await media.saveInTransaction([sound], async (tx) => {
          const asked = await lock(tx, id, student.id);
          if (!mayStillAgree(asked)) throw new AgreedBefore();
          if (noteText !== undefined && noteText !== asked.noteText)
            throw conflict('The note has changed. Please read it again.');
          await store.updateAgreement(tx, id, {
            state: 'agreed',
            signature,
            name: asked.wantsName && withName ? displayName(asked.student) : null,
            answeredAt: clock(),
            audioUrl: sound.row.name,
          });
          await write(tx, student, 'passage-agreed', asked);
          await tell(tx, student.id);
          await levels.tellOfMelodies(tx, [asked.levelId]);
        });
      } catch (error) {
        if (!(error instanceof AgreedBefore)) throw error;
      }
    },

    /**
     * Repeating the call changes nothing.
     * @throws AppError 'not-found'; 'conflict' if already agreed
     */
    decline: (id: number, student: Student) =>
      db.transaction(async (tx) => {
        const found = await lock(tx, id, student.id);
        if (found.state === 'declined') return;
        if (found.state !== 'asked') throw conflict('You have already agreed to this.');
        await store.updateAgreement(tx, id, { state: 'declined', answeredAt: clock() });
        await write(tx, student, 'passage-declined', found);
        await tell(tx, student.id);
      }),

    /**
     * Stops sharing the passage and deletes its file. Further requests for the file are refused, and downloads in
     * progress are cut off. Repeating the call changes nothing.
     * @throws AppError 'not-found'; 'conflict' if there is no agreement
     */
    async revoke(id: number, student: Student) {
      const forgotten = await db.transaction(async (tx) => {
        const found = await lock(tx, id, student.id);
        if (found.state === 'revoked') return [];
        if (found.state !== 'agreed') throw conflict('You haven’t agreed to this.');
        await store.updateAgreement(tx, id, {
          state: 'revoked',
          revokedAt: clock(),
          name: null,
          audioUrl: null,
        });
        await write(tx, student, 'passage-revoked', found);
        await tell(tx, student.id);
        return forget(tx, found);
      });
      await media.removeFiles(forgotten);
    },

    tellOfPassages: announcePassages,

    /** Returns the files of the student's passages. Their rows stay locked until the transaction ends. */
    holdFilesOf: async (tx: Db, studentId: string) =>
      (await announcePassages(tx, studentId)).map(({ audioUrl }) => audioUrl),
  };
}

type Asked = Omit<AskedAgreement, 'askedAt' | 'answeredAt'> & { askedAt: Date; answeredAt: Date | null };

/**
 * @returns false if already agreed
 * @throws AppError 'conflict' if declined or revoked
 */
function mayStillAgree({ state }: Pick<store.Agreement, 'state'>) {
  if (state === 'declined' || state === 'revoked') throw conflict('You have already said no to this.');
  return state === 'asked';
}

/** Thrown within the transaction, so that the second file is removed. */
class AgreedBefore extends Error {}

function mustBePassage({ start, end }: { start: number; end: number }, durationMs: number | null) {
  const seconds = end - start;
  if (seconds > PASSAGE_SECONDS_MAX)
    throw badInput(`A passage can be at most ${PASSAGE_SECONDS_MAX} seconds long.`, [
      { path: 'end', message: 'too long' },
    ]);
  // The end may exceed the recording, which then ends the passage.
  if (seconds >= PASSAGE_SECONDS_MIN && start <= (durationMs ?? 0) / 1000 - PASSAGE_SECONDS_MIN) return;
  throw badInput('This passage isn’t in the recording.', [
    { path: 'start', message: 'not in the recording' },
  ]);
}

/** Constraints violated if the note, or the recording with its student, has just been deleted. */
const GONE = ['agreements_note_id_teaching_notes_id_fk', 'agreements_recording_id_recordings_id_fk'];

const noSuchAgreement = () => notFound('This request no longer exists.');
const gone = (): never => {
  throw noSuchAgreement();
};
