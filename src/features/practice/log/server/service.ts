import type { Db } from '#server/db/database.ts';
import { AppError, createConflictError, createNotFoundError } from '#shared/errors.ts';
import type { Clock } from '#server/clock.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import type { PracticeAddition, PracticeDay } from '../contract.ts';
import {
  MAX_PRACTICE_ADDITION_AGE_DAYS,
  MAX_PRACTICE_IDEMPOTENCY_KEYS,
  MAX_PRACTICE_LOG_ENTRIES,
  MAX_PRACTISED_MELODIES,
} from '../limits.ts';
import * as store from './store.ts';

export type PracticeLogService = ReturnType<typeof createPracticeLogService>;

type Student = Pick<Caller, 'id' | 'role'>;
type Numbers = Pick<PracticeDay, 'seconds' | 'times'>;

const DAY_MS = 86_400_000;
const NO_PRACTICE: Numbers = { seconds: 0, times: 0 };

/** Creates the service for practice logs. Every function accesses only the given student's log. */
export function createPracticeLogService(deps: { db: Db; melodies: MelodiesService; clock: Clock }) {
  const { db, melodies, clock } = deps;

  /**
   * Returns the UTC date this many days from now. Tomorrow's date is the latest that practice may have,
   * because a device's local date may be one day ahead.
   */
  const daysFromNow = (days: number) =>
    new Date(clock().getTime() + days * DAY_MS).toISOString().slice(0, 10);

  const isLogFull = async (tx: Db, { id }: Student) =>
    (await store.countPracticeLogEntries(tx, id)) >= MAX_PRACTICE_LOG_ENTRIES;

  return {
    /**
     * Returns the practised melodies, most recently practised first. `melodyId` is null if the student can no
     * longer hear the melody.
     */
    async list(student: Student) {
      const rows = await store.listPractisedMelodies(db, student.id);
      const audible = await melodies.getAccessible(
        student,
        rows.flatMap(({ melodyId }) => melodyId ?? []),
      );
      return rows.map(({ lastDay, lastSeconds, lastTimes, ...row }) => ({
        ...row,
        melodyId: row.melodyId !== null && audible.has(row.melodyId) ? row.melodyId : null,
        last: lastDay === null ? null : { day: lastDay, seconds: lastSeconds, times: lastTimes },
      }));
    },

    choose: (student: Student, keepsPracticeLog: boolean) =>
      store.setKeepsPracticeLog(db, student.id, keepsPracticeLog),

    /**
     * Adds practice of melodies that the student may hear or has practised before. Skips other melodies,
     * additions that were already counted, days that are too old or in the future, and practice for which the
     * log has no room. Does nothing while the log is off.
     */
    async add(student: Student, additions: readonly PracticeAddition[]) {
      const melodyIds = [...new Set(additions.map(({ melodyId }) => melodyId))];
      const audible = await melodies.getAccessible(student, melodyIds);
      await db.transaction(async (tx) => {
        if (!(await store.lockPracticeLog(tx, student.id))) return;
        const oldest = daysFromNow(-MAX_PRACTICE_ADDITION_AGE_DAYS);
        const newest = daysFromNow(1);
        await store.deletePracticeIdempotencyKeysBefore(tx, student.id, oldest);
        const recent = additions.filter(({ day }) => day >= oldest && day <= newest);
        const added = await store.insertPracticeIdempotencyKeys(tx, student.id, recent);
        if (added.length === 0) return;
        await store.trimPracticeIdempotencyKeys(tx, student.id, MAX_PRACTICE_IDEMPOTENCY_KEYS);
        const rows = await store.listPractisedMelodiesByMelodyId(tx, student.id, melodyIds);
        const practised = new Map(rows.map(({ id, melodyId }) => [melodyId, id]));
        let room = MAX_PRACTISED_MELODIES - (await store.countPractisedMelodies(tx, student.id));
        for (const melodyId of new Set(added.map((addition) => addition.melodyId))) {
          const melody = audible.get(melodyId);
          if (!melody || (!practised.has(melodyId) && room-- <= 0)) continue;
          practised.set(melodyId, await store.upsertPractisedMelody(tx, student.id, melodyId, melody.title));
        }
        const isFull = await isLogFull(tx, student);
        for (const { melodyId, day, seconds, times } of added) {
          const id = practised.get(melodyId);
          if (id === undefined || (seconds === 0 && times === 0)) continue;
          if (isFull && !(await store.findPracticeDay(tx, id, day))) continue;
          await store.addToPracticeDay(tx, id, { day, seconds, times });
        }
      });
    },

    clear: (student: Student) => store.deletePracticeLog(db, student.id),

    /** @throws AppError 'not-found', also for an entry in another student's log */
    async change(student: Student, id: number, change: { target: number | null; sungBefore: number }) {
      if (!(await store.updatePractisedMelody(db, student.id, id, change))) throw entryNotFound();
    },

    async remove(student: Student, id: number) {
      if (!(await store.deletePractisedMelody(db, student.id, id))) throw entryNotFound();
    },

    /**
     * Returns a page of a melody's days, newest first. With `before`, returns only days earlier than this
     * one.
     * @throws AppError 'not-found', also for an entry in another student's log
     */
    async listDays(student: Student, id: number, before?: string) {
      if (!(await store.findPractisedMelody(db, student.id, id))) throw entryNotFound();
      return store.listPracticeDays(db, id, before);
    },

    /**
     * Sets a day's numbers if the stored numbers are still those that the caller saw (compare-and-set),
     * because a device may have added practice since. Succeeds if the stored numbers are already the new
     * ones.
     * @throws AppError 'not-found'; 'conflict' if the stored numbers have changed, or if the log is full and
     * has no entry for the day; 'bad-input' for a day in the future
     */
    async correct(student: Student, id: number, { day, seconds, times }: PracticeDay, seen: Numbers) {
      if (day > daysFromNow(1)) throw new AppError('bad-input', 'This day is in the future.');
      await db.transaction(async (tx) => {
        await store.lockPracticeLog(tx, student.id);
        if (!(await store.findPractisedMelody(tx, student.id, id))) throw entryNotFound();
        const existing = await store.findPracticeDay(tx, id, day);
        if (!existing && (await isLogFull(tx, student))) throw createConflictError(LOG_FULL);
        const now = existing ?? NO_PRACTICE;
        if (now.seconds === seconds && now.times === times) return;
        if (now.seconds !== seen.seconds || now.times !== seen.times)
          throw createConflictError(
            'These numbers changed while you were editing. Please check them and try again.',
          );
        await store.setPracticeDay(tx, id, { day, seconds, times });
      });
    },

    /**
     * Returns a page of the log's days with the melodies' titles, newest first.
     * @param after last row of the previous page
     */
    listAllDays: (studentId: string, after?: { day: string; id: number }) =>
      store.listPracticeDaysOfUser(db, studentId, after),

    /** Returns the melodies that were sung before the log was started, with the number of times. */
    listSungBefore: (studentId: string) => store.listSungBeforeCounts(db, studentId),
  };
}

const LOG_FULL = 'Your practice log is full. Download it (CSV), then remove older melodies from the log.';
const entryNotFound = () => createNotFoundError('This is not in your practice log');
