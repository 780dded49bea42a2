import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { cursorOf, id, message } from '#shared/shapes.ts';
import { ADDED_AT_ONCE, COUNT_MAX, DAY_SECONDS, DAY_TIMES, DAYS_PAGE } from './limits.ts';

const day = z.iso
  .date()
  // 1970-01-01 is the date of a device whose clock isn't set. Zod would also accept the year 0, which PostgreSQL
  // rejects.
  .refine((value) => value >= '1970-01-01', 'must be a day after 1969')
  .describe("A day by the clock of the student's device.");

const practice = {
  seconds: z.int().min(0).max(DAY_SECONDS).describe('How long was practised.'),
  times: z.int().min(0).max(DAY_TIMES).describe('How many times the whole melody was sung.'),
};

export const practiceDay = z.object({ day, ...practice }).meta({ id: 'PracticeDay' });
export type PracticeDay = z.output<typeof practiceDay>;

const target = z
  .int()
  .min(1)
  .max(COUNT_MAX)
  .nullable()
  .describe('How many times the student means to sing it.');
const sungBefore = z
  .int()
  .min(0)
  .max(COUNT_MAX)
  .describe('How many times it was sung before the log was begun.');

export const practisedMelody = z
  .object({
    id: z.int(),
    melodyId: z.int().nullable().describe('Null for one that is gone, or may not be heard at present.'),
    title: z.string(),
    target,
    sungBefore,
    seconds: z.int().describe('Of all days.'),
    times: z.int().describe('Of all days; not those before the log.'),
    last: practiceDay.nullable().describe('The last day with practice.'),
  })
  .meta({ id: 'PractisedMelody' });
export type PractisedMelody = z.output<typeof practisedMelody>;

const addition = z.object({
  clientId: z.uuid().describe('Made on the device: the same one again adds nothing.'),
  melodyId: id,
  day,
  ...practice,
});
export type Addition = z.output<typeof addition>;

const params = z.object({ id });
const NOT_THEIRS = { 404: 'Unknown, or in the log of somebody else' };

/**
 * The practice log of a student. Only the student can read it: a session that was started with a sign-in code shown by
 * a teacher can't. Such a session can still add practice, so that none is lost, because adding reveals nothing.
 */
export const practiceLogApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/practice-log',
    access: 'student',
    isForOwnerOnly: true,
    summary: "The melodies of the caller's practice log, the last practised first.",
    answers: { 200: z.array(practisedMelody) },
  }),
  choose: endpoint({
    method: 'PUT',
    path: '/api/user/practice-log',
    access: 'student',
    isForOwnerOnly: true,
    summary: "Chooses whether the caller's practice is counted. What has been counted stays.",
    body: z.object({ keepsPracticeLog: z.boolean() }),
    answers: { 200: z.object({ keepsPracticeLog: z.boolean() }) },
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/user/practice-log',
    access: 'student',
    summary:
      'Adds practice that a device has counted. Passed over: what is added already, days of more than 400 days ago, melodies that the caller may not hear and has not practised before, days beyond those that a log has room for, and everything while nothing is to be counted.',
    body: z.object({ additions: z.array(addition).min(1).max(ADDED_AT_ONCE) }),
    answers: { 200: message },
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/api/user/practice-log',
    access: 'student',
    isForOwnerOnly: true,
    summary: "Deletes everything in the caller's practice log.",
    answers: { 200: message },
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/user/practice-log/{id}',
    access: 'student',
    isForOwnerOnly: true,
    summary: "Sets a melody's target, and how many times it was sung before.",
    params,
    body: z.object({ target, sungBefore }),
    answers: { 200: message },
    refusals: NOT_THEIRS,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/user/practice-log/{id}',
    access: 'student',
    isForOwnerOnly: true,
    summary: "Deletes a melody and all of its days from the caller's practice log.",
    params,
    answers: { 200: message },
    refusals: NOT_THEIRS,
  }),
  days: endpoint({
    method: 'GET',
    path: '/api/user/practice-log/{id}/days',
    access: 'student',
    isForOwnerOnly: true,
    summary: 'The days on which a melody was practised, newest first.',
    params,
    query: z.object({ after: cursorOf(z.tuple([day])).optional() }),
    pageSize: DAYS_PAGE,
    answers: { 200: z.array(practiceDay) },
    refusals: NOT_THEIRS,
  }),
  correct: endpoint({
    method: 'PUT',
    path: '/api/user/practice-log/{id}/days/{day}',
    access: 'student',
    isForOwnerOnly: true,
    summary: 'Sets the numbers of a day by hand.',
    params: params.extend({ day }),
    body: z.object({ ...practice, seen: z.object(practice).describe('The numbers that are corrected.') }),
    answers: { 200: practiceDay },
    refusals: {
      ...NOT_THEIRS,
      400: 'A day to come',
      409: 'The numbers have changed meanwhile, or the log is full',
    },
  }),
};
