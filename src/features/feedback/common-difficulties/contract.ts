import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { idCursorQuery, numericId, createRequiredNumericIdSchema, timestamp } from '#shared/schemas.ts';
import { mark } from '../contract.ts';
import { recording } from '#features/recordings/contract.ts';
import { MARKED_FEEDBACK_PAGE_SIZE, MAX_MARK_AGE_MONTHS } from './limits.ts';

const markedLine = z
  .object({
    number: z.int().describe('Number of the sung line, from 1.'),
    words: z.string(),
    marks: z.int(),
    students: z.int().describe('Number of students whose recordings have these marks.'),
  })
  .meta({ id: 'MarkedLine' });
export type MarkedLine = z.output<typeof markedLine>;

/** Feedback on a recording of a melody, with all of its marks or only those at one line. */
export const markedFeedback = z
  .object({
    id: z.int().describe('Id of the feedback.'),
    recordingId: z.int(),
    title: z.string(),
    student: recording.shape.student,
    createdAt: timestamp.describe('When the feedback was given.'),
    marks: z.array(
      mark
        .pick({ start: true, end: true, text: true })
        .extend({ isSpoken: z.boolean().describe('Whether the mark has a voice comment.') }),
    ),
  })
  .meta({ id: 'MarkedAnswer' });
export type MarkedFeedback = z.output<typeof markedFeedback>;

const ofMelody = z.object({ id: numericId });
const refusals = { 404: 'Unknown melody' };

export const marksByLineApi = {
  ofMelody: defineEndpoint({
    method: 'GET',
    path: '/api/admin/melodies/{id}/marks-by-line',
    access: 'admin',
    summary: `The number of marks at each line of a melody in the feedback of the last ${MAX_MARK_AGE_MONTHS} months, which shows where students stumble.`,
    params: ofMelody,
    answers: {
      200: z.object({
        lines: z.array(markedLine).describe('The lines with marks, in the order of the text.'),
        elsewhere: z.int().describe('Number of marks without a line, or with an unknown one.'),
      }),
    },
    refusals,
  }),
  answers: defineEndpoint({
    method: 'GET',
    path: '/api/admin/melodies/{id}/marked-answers',
    access: 'admin',
    summary: 'The feedback with those marks, newest first; with `line`, only marks at that line.',
    params: ofMelody,
    query: idCursorQuery.extend({
      line: createRequiredNumericIdSchema('must be the number of a line')
        .optional()
        .describe('Number of the sung line, from 1.'),
    }),
    pageSize: MARKED_FEEDBACK_PAGE_SIZE,
    answers: { 200: z.array(markedFeedback) },
    refusals,
  }),
};
