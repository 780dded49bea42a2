import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { fileName, id, idOr, peaks, requiredText, text, time } from '../../platform/contract/shapes.ts';
import {
  MELODY_DESCRIPTION_MAX,
  MELODY_TEXT_MAX,
  MELODY_TITLE_MAX,
  melodyAudioSlot,
  melodyThumbnailSlot,
} from './limits.ts';

export const melody = z.object({
  id: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  transmissionLevelId: z.int(),
  transmissionLevel: z.object({ id: z.int(), name: z.string() }),
  vimeoUrl: z.string().nullable(),
  melodyText: z.string().nullable(),
  audioUrl: fileName,
  thumbnailUrl: fileName,
  /** Seconds, as measured in the file; null without audio. */
  duration: z.int().nullable(),
  createdAt: time,
});
export type Melody = z.output<typeof melody>;

/** One melody with what its player needs. */
export const melodyInFull = melody.extend({ peaks });
export type MelodyInFull = z.output<typeof melodyInFull>;

const videoUrl = z
  .string()
  .trim()
  .max(2_000)
  .refine(
    (value) => value === '' || isWebAddress(value),
    'The video address must begin with http:// or https://.',
  );

export const melodiesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/melodies',
    access: 'signed-in',
    summary: 'The melodies that the caller may hear, newest first; of one level with `transmissionLevelId`.',
    query: z.object({ transmissionLevelId: id.optional() }),
    answers: { 200: z.array(melody) },
  }),
  one: endpoint({
    method: 'GET',
    path: '/api/melodies/{id}',
    access: 'signed-in',
    summary: 'One melody with its waveform.',
    params: z.object({ id }),
    answers: { 200: melodyInFull },
    refusals: { 404: 'Unknown, or of a level that the caller has not received' },
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/melodies',
    access: 'admin',
    summary: 'Adds a melody with its text, audio, picture and video address.',
    body: z.object({
      title: requiredText(MELODY_TITLE_MAX, 'Title is required'),
      description: text(MELODY_DESCRIPTION_MAX).optional(),
      transmissionLevelId: idOr('Transmission level is required'),
      vimeoUrl: videoUrl.optional(),
      melodyText: text(MELODY_TEXT_MAX).optional(),
      /** Only read where the server cannot make the waveform itself. */
      peaks: z.string().max(300).optional(),
    }),
    files: { thumbnail: melodyThumbnailSlot, audioFile: melodyAudioSlot },
    answers: { 201: melody },
    refusals: { 404: 'Unknown level', 413: 'A file is too large', 415: 'Not a kind of file that is taken' },
  }),
};

function isWebAddress(value: string) {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
}
