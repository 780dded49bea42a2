import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { fileName, id, message } from '#shared/shapes.ts';
import { TIMES_MAX, TODAY_MAX } from './limits.ts';

export const favourite = z.object({ melodyId: z.int() }).meta({ id: 'Favourite' });
export type Favourite = z.output<typeof favourite>;

/** Melody on today's list, with the number of times the student wants to sing it. */
export const todaysMelody = z
  .object({
    melodyId: z.int(),
    title: z.string(),
    thumbnailUrl: fileName,
    duration: z.int().nullable(),
    times: z.int(),
  })
  .meta({ id: 'TodaysMelody' });
export type TodaysMelody = z.output<typeof todaysMelody>;

const melodyId = z.object({ id });

/** A student's own lists. A melody the student may not hear now is left out, and reappears once they may hear it. */
export const chosenMelodiesApi = {
  favourites: endpoint({
    method: 'GET',
    path: '/api/user/favourites',
    access: 'student',
    summary: "The caller's favourites that the caller may hear, newest first.",
    answers: { 200: z.array(favourite) },
  }),
  addFavourite: endpoint({
    method: 'PUT',
    path: '/api/user/favourites/{id}',
    access: 'student',
    summary: "Adds a melody to the caller's favourites; adding it again changes nothing.",
    params: melodyId,
    answers: { 200: message },
    refusals: {
      404: 'Unknown, or of a level that the caller does not have',
      409: 'The caller has the maximum number',
    },
  }),
  removeFavourite: endpoint({
    method: 'DELETE',
    path: '/api/user/favourites/{id}',
    access: 'student',
    summary: "Removes a melody from the caller's favourites, if it is one.",
    params: melodyId,
    answers: { 200: message },
  }),
  today: endpoint({
    method: 'GET',
    path: '/api/user/today',
    access: 'student',
    summary: "The caller's list for today, in order, with melodies that the caller may hear.",
    answers: { 200: z.array(todaysMelody) },
  }),
  putToday: endpoint({
    method: 'PUT',
    path: '/api/user/today/{id}',
    access: 'student',
    summary: "Adds a melody to the end of the caller's list for today, or changes how often it is sung.",
    params: melodyId,
    body: z.object({ times: z.int().min(1).max(TIMES_MAX) }),
    answers: { 200: message },
    refusals: { 404: 'Unknown, or of a level that the caller does not have', 409: 'The list is full' },
  }),
  removeToday: endpoint({
    method: 'DELETE',
    path: '/api/user/today/{id}',
    access: 'student',
    summary: "Removes a melody from the caller's list for today, if it is on it.",
    params: melodyId,
    answers: { 200: message },
  }),
  orderToday: endpoint({
    method: 'PUT',
    path: '/api/user/today',
    access: 'student',
    summary:
      "Orders the caller's list for today: the given melodies first, then the others in their present order.",
    body: z.object({ melodyIds: z.array(id).max(TODAY_MAX) }),
    answers: { 200: message },
  }),
};
