import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { numericId } from '#shared/schemas.ts';

export const LINE_SEARCH_STATES = ['none', 'working', 'ready', 'unsure'] as const;

const recordingLine = z
  .object({
    line: z.int().describe("As in the melody's `timings`. A line that is sung twice occurs twice."),
    start: z.number().describe('In seconds from the start of the recording.'),
    end: z.number(),
    sure: z.number().min(0).max(1).describe('Confidence; below 0.5 it is a guess.'),
  })
  .meta({ id: 'RecordingLine' });

const recordingLines = z
  .object({
    state: z
      .enum(LINE_SEARCH_STATES)
      .describe(
        'none: no melody, a melody without timings or audio, or one that the caller may no longer hear; working: not known yet; unsure: no line could be found.',
      ),
    lines: z.array(recordingLine).describe('In the order in which they are sung; empty unless `ready`.'),
  })
  .meta({ id: 'RecordingLines' });
export type RecordingLines = z.output<typeof recordingLines>;

export const recordingLinesApi = {
  ofRecording: defineEndpoint({
    method: 'GET',
    path: '/api/recordings/{id}/lines',
    access: 'signed-in',
    summary: 'Where each line of its melody is sung in a recording, as found by the program.',
    params: z.object({ id: numericId }),
    answers: { 200: recordingLines },
    refusals: { 404: "Unknown, or another student's" },
  }),
  correct: defineEndpoint({
    method: 'PUT',
    path: '/api/recordings/{id}/lines',
    access: 'admin',
    summary:
      'Corrects where a line begins in a recording. The correction counts as certain, and is kept when lines are found again.',
    params: z.object({ id: numericId }),
    body: z.object({
      line: z.int().min(0),
      was: z.number().min(0).describe('The `start` of the line that the caller has seen.'),
      start: z.number().min(0).describe('Between the starts of the lines before and after.'),
    }),
    answers: { 200: recordingLines },
    refusals: {
      400: 'Beyond the neighbouring lines or the recording',
      404: 'Unknown recording',
      409: 'The line is gone: it was corrected or found again since',
    },
  }),
};
