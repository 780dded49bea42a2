import type { Db } from '#server/db/database.ts';
import { createConflictError, createNotFoundError } from '#shared/errors.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import { MAX_FAVOURITES, MAX_TODAYS_MELODIES } from '../limits.ts';
import * as store from './store.ts';

export type ChosenMelodiesService = ReturnType<typeof createChosenMelodiesService>;

type Student = Pick<Caller, 'id' | 'role'>;

/**
 * Creates the service for students' favourites and today's lists. Melodies that a student may no longer hear
 * stay stored, but are not returned.
 */
export function createChosenMelodiesService({ db, melodies }: { db: Db; melodies: MelodiesService }) {
  async function filterAccessible<Row extends { melodyId: number }>(student: Student, rows: Row[]) {
    const accessible = await melodies.getAccessible(
      student,
      rows.map(({ melodyId }) => melodyId),
    );
    return rows.flatMap((row) => {
      const melody = accessible.get(row.melodyId);
      return melody ? [{ ...row, melody }] : [];
    });
  }

  /**
   * Runs changes to a student's lists one at a time, so that concurrent changes can't exceed a list's limit.
   */
  const withListLock = <T>(student: Student, work: (tx: Db) => Promise<T>) =>
    db.transaction(async (tx) => {
      await store.lockChosenMelodies(tx, student.id);
      return work(tx);
    });

  /** @throws AppError 'not-found', also for a melody the student may not hear */
  async function lockMelody(tx: Db, student: Student, melodyId: number) {
    if ((await melodies.lockMelody(tx, student, melodyId)) === null)
      throw createNotFoundError('This melody no longer exists.');
  }

  return {
    /** Lists favourites, newest first. */
    async listFavourites(student: Student) {
      const rows = await filterAccessible(student, await store.listFavourites(db, student.id));
      return rows.map(({ melodyId }) => ({ melodyId }));
    },

    /** @throws AppError 'not-found'; 'conflict' if the student has the maximum number of favourites */
    addFavourite: (student: Student, melodyId: number) =>
      withListLock(student, async (tx) => {
        await lockMelody(tx, student, melodyId);
        if (await store.isFavourite(tx, student.id, melodyId)) return;
        if ((await store.countFavourites(tx, student.id)) >= MAX_FAVOURITES)
          throw createConflictError(
            `You already have ${MAX_FAVOURITES} favourites, which is the limit. Please remove one first.`,
          );
        await store.insertFavourite(tx, student.id, melodyId);
      }),

    removeFavourite: (student: Student, melodyId: number) => store.deleteFavourite(db, student.id, melodyId),

    /** Returns today's list in the student's order. */
    async listTodaysMelodies(student: Student) {
      const rows = await filterAccessible(student, await store.listTodaysMelodies(db, student.id));
      return rows.map(({ melodyId, times, melody: { title, thumbnailUrl, duration } }) => ({
        ...{ melodyId, title, thumbnailUrl, duration, times },
      }));
    },

    /** @throws AppError 'not-found'; 'conflict' if the list is full */
    saveTodaysMelody: (student: Student, melodyId: number, times: number) =>
      withListLock(student, async (tx) => {
        await lockMelody(tx, student, melodyId);
        if (await store.updateTodaysRepetitions(tx, student.id, melodyId, times)) return;
        if ((await store.countTodaysMelodies(tx, student.id)) >= MAX_TODAYS_MELODIES)
          throw createConflictError(
            `The list already has ${MAX_TODAYS_MELODIES} melodies, which is the limit. Please remove one first.`,
          );
        await store.appendToTodaysList(tx, student.id, melodyId, times);
      }),

    removeFromTodaysList: (student: Student, melodyId: number) =>
      store.removeFromTodaysList(db, student.id, melodyId),

    /** Moves the given melodies to the start of the list. The others follow in their previous order. */
    reorderTodaysList: (student: Student, melodyIds: number[]) =>
      withListLock(student, (tx) => store.reorderTodaysList(tx, student.id, melodyIds)),
  };
}
