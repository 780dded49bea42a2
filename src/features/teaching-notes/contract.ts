import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { id, message, peaks, soundCopies, text } from '#shared/shapes.ts';
import { LINE_WORDS_MAX, TEACHING_NOTE_TEXT_MAX, TEACHING_NOTES_MAX } from './limits.ts';

/** The teacher's note on a line of a melody, for all who may hear it. */
export const teachingNote = z
  .object({
    id: z.int(),
    line: z.int().describe('Counts the lines of the text from 0, blank lines too.'),
    text: z.string().describe('May be empty where there is a voice.'),
    voice: z
      .object({
        audioUrl: z.string(),
        audioCopies: soundCopies,
        duration: z.int().describe('Seconds.'),
        peaks,
      })
      .nullable(),
    studentPassage: z
      .object({
        audioUrl: z.string(),
        audioCopies: soundCopies,
        duration: z.int().describe('Seconds.'),
        peaks,
        name: z.string().nullable().describe('Of the student; null without.'),
      })
      .optional()
      .describe('How a student sings it, as long as that student agrees; absent without.'),
  })
  .meta({
    id: 'TeachingNote',
    examples: [{ id: 1, line: 4, text: 'The voice rises here. Let the breath end first.', voice: null }],
  });
export type TeachingNote = z.output<typeof teachingNote>;

const line = z.int().min(0).describe('One of the lines of the text.');
const lineWords = z
  .string()
  .max(LINE_WORDS_MAX)
  .optional()
  .describe(
    `The first ${LINE_WORDS_MAX} characters that the caller saw at the line: where it begins differently by now, this is refused.`,
  );
const words = text(TEACHING_NOTE_TEXT_MAX).overwrite((value) => value.trim());
const ofMelody = z.object({ id });

export const teachingNotesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/melodies/{id}/teaching-notes',
    access: 'signed-in',
    summary: `The teaching notes of a melody, in the order of its lines; at most ${TEACHING_NOTES_MAX}.`,
    params: ofMelody,
    answers: { 200: z.array(teachingNote) },
    refusals: { 404: 'Unknown, or not for the caller' },
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/melodies/{id}/teaching-notes',
    access: 'admin',
    summary: 'Adds a teaching note, as the last at its line.',
    params: ofMelody,
    body: z.object({
      clientId: z.uuid().describe('Idempotency key: a repeated call adds no second note.'),
      line,
      lineWords,
      text: words,
      voiceOf: z
        .object({ recordingId: id, voice: z.uuid().toLowerCase() })
        .optional()
        .describe('The mark whose voice the note has too. It is copied, and stays when the mark goes.'),
    }),
    answers: { 200: teachingNote, 201: teachingNote },
    refusals: {
      404: 'Unknown melody, or no such voice',
      409: 'The melody has too many notes, or the `clientId` is of another melody or of a note that was removed',
    },
  }),
  order: endpoint({
    method: 'PUT',
    path: '/api/melodies/{id}/teaching-notes/order',
    access: 'admin',
    summary: 'Orders the notes that are at one line.',
    params: ofMelody,
    body: z.object({ ids: z.array(id).max(TEACHING_NOTES_MAX) }),
    answers: { 200: message },
    refusals: { 404: 'Unknown melody' },
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/teaching-notes/{id}',
    access: 'admin',
    summary: 'Changes the words of a teaching note, its line, or takes away its voice.',
    params: z.object({ id }),
    body: z.object({ line, lineWords, text: words, removeVoice: z.boolean().optional() }),
    answers: { 200: teachingNote },
    refusals: { 404: 'Unknown note' },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/teaching-notes/{id}',
    access: 'admin',
    summary: 'Withdraws a teaching note.',
    params: z.object({ id }),
    answers: { 200: message },
    refusals: { 404: 'Unknown note' },
  }),
};
