import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import {
  numericId,
  messageBody,
  waveformPeaks,
  soundCopies,
  createLimitedTextSchema,
} from '#shared/schemas.ts';
import { MAX_LINE_BEGINNING_LENGTH, MAX_TEACHING_NOTE_LENGTH, MAX_TEACHING_NOTES } from './limits.ts';

/** The teacher's note on a line of a melody, for everyone who may hear the melody. */
export const teachingNote = z
  .object({
    id: z.int(),
    line: z.int().describe('Index of the line in the text from 0, counting blank lines.'),
    text: z.string().describe('May be empty if there is a voice recording.'),
    voice: z
      .object({
        audioUrl: z.string(),
        audioCopies: soundCopies,
        duration: z.int().describe('Seconds.'),
        peaks: waveformPeaks,
      })
      .nullable(),
    studentPassage: z
      .object({
        audioUrl: z.string(),
        audioCopies: soundCopies,
        duration: z.int().describe('Seconds.'),
        peaks: waveformPeaks,
        name: z.string().nullable().describe("The student's name; null if it is not shown."),
      })
      .optional()
      .describe('A passage sung by a student, as long as that student agrees; absent without one.'),
  })
  .meta({
    id: 'TeachingNote',
    examples: [{ id: 1, line: 4, text: 'The voice rises here. Let the breath end first.', voice: null }],
  });
export type TeachingNote = z.output<typeof teachingNote>;

const line = z.int().min(0).describe('Index of a line of the text.');
const lineWords = z
  .string()
  .max(MAX_LINE_BEGINNING_LENGTH)
  .optional()
  .describe(
    `The first ${MAX_LINE_BEGINNING_LENGTH} characters of the line as the caller saw it; refused if the line begins differently now.`,
  );
const words = createLimitedTextSchema(MAX_TEACHING_NOTE_LENGTH).overwrite((value) => value.trim());
const ofMelody = z.object({ id: numericId });

export const teachingNotesApi = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/melodies/{id}/teaching-notes',
    access: 'signed-in',
    summary: `The teaching notes of a melody, in the order of its lines; at most ${MAX_TEACHING_NOTES}.`,
    params: ofMelody,
    answers: { 200: z.array(teachingNote) },
    refusals: { 404: 'Unknown, or not accessible to the caller' },
  }),
  add: defineEndpoint({
    method: 'POST',
    path: '/api/melodies/{id}/teaching-notes',
    access: 'admin',
    summary: 'Adds a teaching note after the others at its line.',
    params: ofMelody,
    body: z.object({
      clientId: z.uuid().describe('Idempotency key: a repeated call adds no second note.'),
      line,
      lineWords,
      text: words,
      voiceOf: z
        .object({ recordingId: numericId, voice: z.uuid().toLowerCase() })
        .optional()
        .describe(
          'The mark whose voice comment is copied to the note. The copy stays if the mark is deleted.',
        ),
    }),
    answers: { 200: teachingNote, 201: teachingNote },
    refusals: {
      404: 'Unknown melody or voice recording',
      409: 'The melody has the maximum number of notes, or the `clientId` belongs to another melody or a deleted note',
    },
  }),
  order: defineEndpoint({
    method: 'PUT',
    path: '/api/melodies/{id}/teaching-notes/order',
    access: 'admin',
    summary: 'Orders the notes at one line.',
    params: ofMelody,
    body: z.object({ ids: z.array(numericId).max(MAX_TEACHING_NOTES) }),
    answers: { 200: messageBody },
    refusals: { 404: 'Unknown melody' },
  }),
  change: defineEndpoint({
    method: 'PUT',
    path: '/api/teaching-notes/{id}',
    access: 'admin',
    summary: 'Changes the words or the line of a teaching note, or removes its voice recording.',
    params: z.object({ id: numericId }),
    body: z.object({ line, lineWords, text: words, removeVoice: z.boolean().optional() }),
    answers: { 200: teachingNote },
    refusals: { 404: 'Unknown note' },
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/teaching-notes/{id}',
    access: 'admin',
    summary: 'Deletes a teaching note.',
    params: z.object({ id: numericId }),
    answers: { 200: messageBody },
    refusals: { 404: 'Unknown note' },
  }),
};
