import type { Db } from '#server/db/database.ts';
import { conflict, notFound } from '#shared/errors.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { MelodiesService } from '#features/melodies/server/service.ts';
import { FAVOURITES_MAX, TODAY_MAX } from '../limits.ts';
import * as store from './store.ts';

export type ChosenMelodiesService = ReturnType<typeof chosenMelodiesService>;

type Student = Pick<Caller, 'id' | 'role'>;

/**
 * Manages a student's favourites and today's list. Melodies the student may not hear are stored but never returned.
 */
export function chosenMelodiesService({ db, melodies }: { db: Db; melodies: MelodiesService }) {
  async function hearable<Row extends { melodyId: number }>(student: Student, rows: Row[]) {
    const heard = await melodies.among(
      student,
      rows.map(({ melodyId }) => melodyId),
    );
    return rows.flatMap((row) => {
      const melody = heard.get(row.melodyId);
      return melody ? [{ ...row, melody }] : [];
    });
  }

  /** Runs changes to a student's lists one at a time, so that no list exceeds its limit. */
  const change = <T>(student: Student, work: (tx: Db) => Promise<T>) =>
    db.transaction(async (tx) => {
      await store.lockListsOf(tx, student.id);
      return work(tx);
    });

  /** @throws AppError 'not-found', also for a melody the student may not hear */
  async function hold(tx: Db, student: Student, melodyId: number) {
    if ((await melodies.hold(tx, student, melodyId)) === null)
      throw notFound('This melody no longer exists.');
  }

  return {
    /** Lists favourites, newest first. */
    async favourites(student: Student) {
      const rows = await hearable(student, await store.listFavourites(db, student.id));
      return rows.map(({ melodyId }) => ({ melodyId }));
    },

    /** @throws AppError 'not-found'; 'conflict' if there are too many */
    addFavourite: (student: Student, melodyId: number) =>
      change(student, async (tx) => {
        await hold(tx, student, melodyId);
        if (await store.isFavourite(tx, student.id, melodyId)) return;
        if ((await store.countFavourites(tx, student.id)) >= FAVOURITES_MAX)
          throw conflict(
            `You already have ${FAVOURITES_MAX} favourites, which is the limit. Please remove one first.`,
          );
        await store.insertFavourite(tx, student.id, melodyId);
      }),

    removeFavourite: (student: Student, melodyId: number) => store.deleteFavourite(db, student.id, melodyId),

    /** Returns today's list in the student's order. */
    async today(student: Student) {
      const rows = await hearable(student, await store.listToday(db, student.id));
      return rows.map(({ melodyId, times, melody: { title, thumbnailUrl, duration } }) => ({
        ...{ melodyId, title, thumbnailUrl, duration, times },
      }));
    },

    /** @throws AppError 'not-found'; 'conflict' if the list is full */
    putToday: (student: Student, melodyId: number, times: number) =>
      change(student, async (tx) => {
        await hold(tx, student, melodyId);
        if (await store.updateTimes(tx, student.id, melodyId, times)) return;
        if ((await store.countToday(tx, student.id)) >= TODAY_MAX)
          throw conflict(
            `The list already has ${TODAY_MAX} melodies, which is the limit. Please remove one first.`,
          );
        await store.appendToday(tx, student.id, melodyId, times);
      }),

    removeToday: (student: Student, melodyId: number) => store.deleteToday(db, student.id, melodyId),

    /** Melodies that are not named follow in their previous order. */
    orderToday: (student: Student, melodyIds: number[]) =>
      change(student, (tx) => store.orderToday(tx, student.id, melodyIds)),
  };
}
