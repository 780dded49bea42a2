import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { historyQuery, id, idOr, time } from '#shared/shapes.ts';
import { mark } from '../contract.ts';
import { recording } from '#features/recordings/contract.ts';
import { MARKED_ANSWERS_PAGE, MARKS_MONTHS } from './limits.ts';

const markedLine = z
  .object({
    number: z.int().describe('Counts the sung lines from 1.'),
    words: z.string(),
    marks: z.int(),
    students: z.int().describe('How many they were made for.'),
  })
  .meta({ id: 'MarkedLine' });
export type MarkedLine = z.output<typeof markedLine>;

/** Feedback that has marks at a line. */
export const markedAnswer = z
  .object({
    id: z.int().describe('Of the feedback.'),
    recordingId: z.int(),
    title: z.string(),
    student: recording.shape.student,
    createdAt: time.describe('When it was answered.'),
    marks: z.array(
      mark
        .pick({ start: true, end: true, text: true })
        .extend({ isSpoken: z.boolean().describe('It has a voice.') }),
    ),
  })
  .meta({ id: 'MarkedAnswer' });
export type MarkedAnswer = z.output<typeof markedAnswer>;

const ofMelody = z.object({ id });
const refusals = { 404: 'Unknown melody' };

export const marksByLineApi = {
  ofMelody: endpoint({
    method: 'GET',
    path: '/api/admin/melodies/{id}/marks-by-line',
    access: 'admin',
    summary: `How many marks the answers of the last ${MARKS_MONTHS} months have at each line of a melody, where students stumble.`,
    params: ofMelody,
    answers: {
      200: z.object({
        lines: z.array(markedLine).describe('Those with marks, in the order of the text.'),
        elsewhere: z.int().describe('How many marks are at no line, or at none that is known.'),
      }),
    },
    refusals,
  }),
  answers: endpoint({
    method: 'GET',
    path: '/api/admin/melodies/{id}/marked-answers',
    access: 'admin',
    summary: 'The answers that those marks are from, newest first; with `line`, those at one line alone.',
    params: ofMelody,
    query: historyQuery.extend({
      line: idOr('must be the number of a line').optional().describe('Counts the sung lines from 1.'),
    }),
    pageSize: MARKED_ANSWERS_PAGE,
    answers: { 200: z.array(markedAnswer) },
    refusals,
  }),
};
