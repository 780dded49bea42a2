import type { Db } from '#server/db/database.ts';
import { AppError, conflict, notFound } from '#shared/errors.ts';
import type { Clock } from '#server/clock.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import type { Addition, PracticeDay } from '../contract.ts';
import { ADDED_DAYS, ADDED_KEPT, PRACTISED_DAYS_MAX, PRACTISED_MAX } from '../limits.ts';
import * as store from './store.ts';

export type PracticeLogService = ReturnType<typeof practiceLogService>;

type Student = Pick<Caller, 'id' | 'role'>;
type Numbers = Pick<PracticeDay, 'seconds' | 'times'>;

const DAY_MS = 86_400_000;
const NONE: Numbers = { seconds: 0, times: 0 };

/** A student's practice log. Every function reads and changes only the caller's own log. */
export function practiceLogService(deps: { db: Db; melodies: MelodiesService; clock: Clock }) {
  const { db, melodies, clock } = deps;

  /** Returns a date in UTC; the device's local date may be a day later. */
  const daysFromNow = (days: number) =>
    new Date(clock().getTime() + days * DAY_MS).toISOString().slice(0, 10);

  const isLogFull = async (tx: Db, { id }: Student) => (await store.countDays(tx, id)) >= PRACTISED_DAYS_MAX;

  return {
    /** Returns the practised melodies, last practised first. */
    async list(student: Student) {
      const rows = await store.listPractised(db, student.id);
      const heard = await melodies.among(
        student,
        rows.flatMap(({ melodyId }) => melodyId ?? []),
      );
      return rows.map(({ lastDay, lastSeconds, lastTimes, ...row }) => ({
        ...row,
        melodyId: row.melodyId !== null && heard.has(row.melodyId) ? row.melodyId : null,
        last: lastDay === null ? null : { day: lastDay, seconds: lastSeconds, times: lastTimes },
      }));
    },

    choose: (student: Student, keepsPracticeLog: boolean) =>
      store.setKeepsPracticeLog(db, student.id, keepsPracticeLog),

    /** Adds new practice of known melodies within the limits, and skips the rest. */
    async add(student: Student, additions: readonly Addition[]) {
      const melodyIds = [...new Set(additions.map(({ melodyId }) => melodyId))];
      const heard = await melodies.among(student, melodyIds);
      await db.transaction(async (tx) => {
        if (!(await store.lockLogOf(tx, student.id))) return;
        const oldest = daysFromNow(-ADDED_DAYS);
        const newest = daysFromNow(1);
        await store.forgetAddedBefore(tx, student.id, oldest);
        const recent = additions.filter(({ day }) => day >= oldest && day <= newest);
        const added = await store.rememberAdded(tx, student.id, recent);
        if (added.length === 0) return;
        await store.forgetAddedBut(tx, student.id, ADDED_KEPT);
        const rows = await store.practisedAmong(tx, student.id, melodyIds);
        const practised = new Map(rows.map(({ id, melodyId }) => [melodyId, id]));
        let room = PRACTISED_MAX - (await store.countPractised(tx, student.id));
        for (const melodyId of new Set(added.map((addition) => addition.melodyId))) {
          const melody = heard.get(melodyId);
          if (!melody || (!practised.has(melodyId) && room-- <= 0)) continue;
          practised.set(melodyId, await store.upsertPractised(tx, student.id, melodyId, melody.title));
        }
        const isFull = await isLogFull(tx, student);
        for (const { melodyId, day, seconds, times } of added) {
          const id = practised.get(melodyId);
          if (id === undefined || (seconds === 0 && times === 0)) continue;
          if (isFull && !(await store.findDay(tx, id, day))) continue;
          await store.addToDay(tx, id, { day, seconds, times });
        }
      });
    },

    clear: (student: Student) => store.deleteLog(db, student.id),

    /** @throws AppError 'not-found', also for an entry in another student's log, as the functions below do */
    async change(student: Student, id: number, change: { target: number | null; sungBefore: number }) {
      if (!(await store.updatePractised(db, student.id, id, change))) throw notInLog();
    },

    async remove(student: Student, id: number) {
      if (!(await store.deletePractised(db, student.id, id))) throw notInLog();
    },

    /** Returns the days of a melody, newest first. */
    async days(student: Student, id: number, before?: string) {
      if (!(await store.findPractised(db, student.id, id))) throw notInLog();
      return store.listDays(db, id, before);
    },

    /**
     * Sets a day's numbers, unless they differ from the numbers the caller saw, because a device may have added to them
     * since.
     * @throws AppError 'not-found', 'conflict' (also when the log is full), 'bad-input' for a day in the future
     */
    async correct(student: Student, id: number, { day, seconds, times }: PracticeDay, seen: Numbers) {
      if (day > daysFromNow(1)) throw new AppError('bad-input', 'This day is in the future.');
      await db.transaction(async (tx) => {
        await store.lockLogOf(tx, student.id);
        if (!(await store.findPractised(tx, student.id, id))) throw notInLog();
        const there = await store.findDay(tx, id, day);
        if (!there && (await isLogFull(tx, student))) throw conflict(LOG_IS_FULL);
        const now = there ?? NONE;
        if (now.seconds === seconds && now.times === times) return;
        if (now.seconds !== seen.seconds || now.times !== seen.times)
          throw conflict('These numbers changed while you were editing. Please check them and try again.');
        await store.setDay(tx, id, { day, seconds, times });
      });
    },

    /**
     * Returns a page of the log's days with the melodies' titles, newest first.
     * @param after last row of the previous page
     */
    everyDay: (studentId: string, after?: { day: string; id: number }) =>
      store.listEveryDay(db, studentId, after),

    /** Returns the melodies that were sung before the log was begun, with the number of times. */
    sungBefore: (studentId: string) => store.listSungBefore(db, studentId),
  };
}

const LOG_IS_FULL = 'Your practice log is full. Download it (CSV), then remove older melodies from the log.';
const notInLog = () => notFound('This is not in your practice log');
