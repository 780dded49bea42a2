import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { nullableFileName, numericId, messageBody } from '#shared/schemas.ts';
import { MAX_REPETITIONS_PER_MELODY, MAX_TODAYS_MELODIES } from './limits.ts';

export const favourite = z.object({ melodyId: z.int() }).meta({ id: 'Favourite' });
export type Favourite = z.output<typeof favourite>;

/** Melody on today's list, with the number of times the student wants to sing it. */
export const todaysMelody = z
  .object({
    melodyId: z.int(),
    title: z.string(),
    thumbnailUrl: nullableFileName,
    duration: z.int().nullable(),
    times: z.int(),
  })
  .meta({ id: 'TodaysMelody' });
export type TodaysMelody = z.output<typeof todaysMelody>;

const melodyId = z.object({ id: numericId });

/**
 * A student's favourites and today's list. They omit melodies that the student may not hear at present. Such
 * a melody reappears when the student may hear it again.
 */
export const chosenMelodiesApi = {
  favourites: defineEndpoint({
    method: 'GET',
    path: '/api/user/favourites',
    access: 'student',
    summary: "The caller's favourites that the caller may hear, newest first.",
    answers: { 200: z.array(favourite) },
  }),
  addFavourite: defineEndpoint({
    method: 'PUT',
    path: '/api/user/favourites/{id}',
    access: 'student',
    summary: "Adds a melody to the caller's favourites; adding it again changes nothing.",
    params: melodyId,
    answers: { 200: messageBody },
    refusals: {
      404: 'Unknown, or of a level that the caller does not have',
      409: 'The caller has the maximum number',
    },
  }),
  removeFavourite: defineEndpoint({
    method: 'DELETE',
    path: '/api/user/favourites/{id}',
    access: 'student',
    summary: "Removes a melody from the caller's favourites, if it is one.",
    params: melodyId,
    answers: { 200: messageBody },
  }),
  today: defineEndpoint({
    method: 'GET',
    path: '/api/user/today',
    access: 'student',
    summary: "The caller's list for today, in order, with melodies that the caller may hear.",
    answers: { 200: z.array(todaysMelody) },
  }),
  putToday: defineEndpoint({
    method: 'PUT',
    path: '/api/user/today/{id}',
    access: 'student',
    summary: "Adds a melody to the end of the caller's list for today, or changes how often it is sung.",
    params: melodyId,
    body: z.object({ times: z.int().min(1).max(MAX_REPETITIONS_PER_MELODY) }),
    answers: { 200: messageBody },
    refusals: { 404: 'Unknown, or of a level that the caller does not have', 409: 'The list is full' },
  }),
  removeToday: defineEndpoint({
    method: 'DELETE',
    path: '/api/user/today/{id}',
    access: 'student',
    summary: "Removes a melody from the caller's list for today, if it is on it.",
    params: melodyId,
    answers: { 200: messageBody },
  }),
  orderToday: defineEndpoint({
    method: 'PUT',
    path: '/api/user/today',
    access: 'student',
    summary:
      "Orders the caller's list for today: the given melodies first, then the others in their present order.",
    body: z.object({ melodyIds: z.array(numericId).max(MAX_TODAYS_MELODIES) }),
    answers: { 200: messageBody },
  }),
};
