import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { SOUND_COPIES } from '#shared/media.ts';
import { numericId, createLimitedTextSchema, timestamp } from '#shared/schemas.ts';
import { MAX_MANIFEST_MELODIES } from './limits.ts';

const file = z.object({
  name: z.string().describe('As in the melody.'),
  type: z.enum(['audio', 'image']),
  copy: z.enum(SOUND_COPIES).optional().describe('The copy of the audio; absent for the original file.'),
  contentType: z.string(),
  size: z.int(),
  sha256: z.string(),
});
export type PackFile = z.output<typeof file>;

const packMelody = z
  .object({
    id: z.int(),
    version: z.string().describe("Changes whenever the melody's words, timings or other details change."),
    files: z.array(file),
  })
  .meta({ id: 'PackMelody' });
export type PackMelody = z.output<typeof packMelody>;

export const packManifest = z
  .object({
    at: timestamp.describe("The server's clock."),
    until: timestamp.describe('When the right to keep the copies expires unless renewed by this call.'),
    melodies: z
      .array(packMelody)
      .describe('Those of the requested melodies that the caller may save offline; the others are left out.'),
    own: z
      .object({ version: z.string(), files: z.array(file) })
      .nullable()
      .describe("A student's own recordings and their feedback, if requested."),
  })
  .meta({ id: 'PackManifest' });
export type PackManifest = z.output<typeof packManifest>;

/** Comma-separated: `1,2,3`. */
const ids = createLimitedTextSchema(MAX_MANIFEST_MELODIES * 11)
  .transform((value): (number | string)[] => (value === '' ? [] : value.split(',')))
  .pipe(z.array(numericId).max(MAX_MANIFEST_MELODIES));

export const packApi = {
  manifest: defineEndpoint({
    method: 'GET',
    path: '/api/pack',
    access: 'signed-in',
    summary:
      'Which of these melodies the caller may save on a device: those the caller may hear, except at levels that are never available offline. With `own=yes`, a student also gets their newest recordings and feedback.',
    query: z.object({ melodies: ids, own: z.literal('yes').optional() }),
    answers: { 200: packManifest },
  }),
};
