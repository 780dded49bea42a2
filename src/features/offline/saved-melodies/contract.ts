import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { SOUND_COPIES } from '#shared/media.ts';
import { id, text, time } from '#shared/shapes.ts';
import { MANIFEST_MAX } from './limits.ts';

const file = z.object({
  name: z.string().describe('As in the melody.'),
  type: z.enum(['audio', 'image']),
  copy: z
    .enum(SOUND_COPIES)
    .optional()
    .describe('Which copy of the sound it is; absent for the file as it was sent.'),
  contentType: z.string(),
  size: z.int(),
  sha256: z.string(),
});
export type PackFile = z.output<typeof file>;

const packMelody = z
  .object({
    id: z.int(),
    version: z
      .string()
      .describe('Another one once its words, timings or anything else about it has changed.'),
    files: z.array(file),
  })
  .meta({ id: 'PackMelody' });
export type PackMelody = z.output<typeof packMelody>;

export const packManifest = z
  .object({
    at: time.describe("The server's clock."),
    until: time.describe('When the lease of what is kept ends, unless it is renewed by asking again.'),
    melodies: z
      .array(packMelody)
      .describe('Of those asked about, the ones that the caller may keep; nothing is said of the others.'),
    own: z
      .object({ version: z.string(), files: z.array(file) })
      .nullable()
      .describe('A student’s own recordings and the answers to them, where they were asked for.'),
  })
  .meta({ id: 'PackManifest' });
export type PackManifest = z.output<typeof packManifest>;

/** Comma-separated: `1,2,3`. */
const ids = text(MANIFEST_MAX * 11)
  .transform((value): (number | string)[] => (value === '' ? [] : value.split(',')))
  .pipe(z.array(id).max(MANIFEST_MAX));

export const packApi = {
  manifest: endpoint({
    method: 'GET',
    path: '/api/pack',
    access: 'signed-in',
    summary:
      'Which of these melodies the caller may keep on a device at present: those that the caller may hear, except of levels that are never kept. With `own=yes`, a student is told of the newest of their own recordings and answers too.',
    query: z.object({ melodies: ids, own: z.literal('yes').optional() }),
    answers: { 200: packManifest },
  }),
};
