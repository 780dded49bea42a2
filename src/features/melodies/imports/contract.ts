import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { messageBody, createLimitedTextSchema, timestamp } from '#shared/schemas.ts';
import { MAX_MELODY_TITLE_LENGTH } from '../limits.ts';
import { MAX_IMPORTED_MELODIES } from './limits.ts';

const sha256 = z
  .string()
  .max(64)
  .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal digits');

export const melodyImport = z
  .object({ id: z.uuid(), melodies: z.int(), addedAt: timestamp.describe('When its last melody was added.') })
  .meta({ id: 'MelodyImport' });
export type MelodyImport = z.output<typeof melodyImport>;

/** An import is the set of melodies that `POST /api/melodies` added with the same `importId`. */
export const melodyImportsApi = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/admin/melody-imports',
    access: 'admin',
    summary: 'The imports that can be undone, newest first.',
    answers: { 200: z.array(melodyImport) },
  }),
  known: defineEndpoint({
    method: 'POST',
    path: '/api/admin/melody-imports/known',
    access: 'admin',
    summary: 'Which audio files and titles are already in the library.',
    body: z.object({
      sounds: z.array(sha256).max(MAX_IMPORTED_MELODIES),
      titles: z.array(createLimitedTextSchema(MAX_MELODY_TITLE_LENGTH)).max(MAX_IMPORTED_MELODIES),
    }),
    // Enough for 500 hashes and 500 titles, even if JSON escapes every letter.
    bodyBytes: 700 * 1024,
    answers: {
      200: z
        .object({
          sounds: z.array(z.object({ sha256, title: z.string() })).describe('With the melody that has it.'),
          titles: z.array(z.string()).describe('As sent.'),
        })
        .meta({ id: 'KnownMelodies' }),
    },
  }),
  undo: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/melody-imports/{id}',
    access: 'admin',
    summary: 'Deletes all melodies of an import, unless one was changed, deleted or sung by a student.',
    params: z.object({ id: z.uuid() }),
    answers: { 200: messageBody },
    refusals: {
      404: 'Unknown, or one of its melodies was changed',
      409: 'A student has sent a recording of one of them',
    },
  }),
};
