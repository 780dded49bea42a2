import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import {
  nullableFileName,
  numericId,
  createRequiredNumericIdSchema,
  messageBody,
  waveformPeaks,
  createRequiredSingleLineTextSchema,
  soundCopies,
  createLimitedTextSchema,
  timestamp,
} from '#shared/schemas.ts';
import {
  LEVEL_REQUIRED_MESSAGE,
  MAX_BULK_MELODIES,
  MAX_MELODY_DESCRIPTION_LENGTH,
  MAX_MELODY_TITLE_LENGTH,
  TITLE_REQUIRED_MESSAGE,
  MAX_VIDEO_URL_LENGTH,
  melodyAudioSlot,
  melodyThumbnailSlot,
} from './limits.ts';
import { MAX_MELODY_TEXT_LENGTH, MAX_TIMING_SECONDS, MAX_TIMINGS } from '#features/lyrics/limits.ts';

const melodySummary = z.object({
  id: z.int(),
  title: z.string(),
  transmissionLevelId: z.int(),
  transmissionLevel: z.object({ id: z.int(), name: z.string() }),
  vimeoUrl: z.string().nullable(),
  audioUrl: nullableFileName,
  audioCopies: soundCopies,
  thumbnailUrl: nullableFileName,
  duration: z.int().nullable().describe('Seconds, as measured in the file; null without audio.'),
  createdAt: timestamp,
});
/** Fields that cards and complete melodies have in common. */
export type MelodySummary = z.output<typeof melodySummary>;

export const melody = melodySummary
  .extend({ description: z.string().nullable(), melodyText: z.string().nullable() })
  .meta({
    id: 'Melody',
    examples: [
      {
        id: 7,
        title: 'Refuge',
        description: 'Sung before every session.',
        transmissionLevelId: 1,
        transmissionLevel: { id: 1, name: 'Open to All' },
        vimeoUrl: null,
        melodyText: 'Sangye chö dang tsok kyi chok nam la',
        audioUrl: '0b1fa4bd0f9f4a4c.mp3',
        audioCopies: ['small'],
        thumbnailUrl: null,
        duration: 184,
        createdAt: '2026-11-20T06:30:00.000Z',
      },
    ],
  });
export type Melody = z.output<typeof melody>;

/** Melody as shown on its card in the library. */
export const listedMelody = melodySummary
  .extend({
    excerpt: z.string().nullable().describe('The beginning of the description.'),
    textBytes: z.int().describe('Length of the text in UTF-8 bytes; 0 without a text.'),
  })
  .meta({ id: 'ListedMelody' });
export type ListedMelody = z.output<typeof listedMelody>;

/** Strict, so that a malformed card is rejected instead of being reduced to its id. */
const foundMelody = melodySummary.pick({ id: true }).strict().meta({ id: 'FoundMelody' });
export type FoundMelody = z.output<typeof foundMelody>;

/**
 * Start time of a line of the text. `line` is its index from 0, counting blank lines; `start` is in seconds.
 */
export const lineTiming = z
  .object({ line: z.int().min(0), start: z.number().min(0) })
  .meta({ id: 'LineTiming' });
export type LineTiming = z.output<typeof lineTiming>;

/** Melody with everything its player needs. */
export const melodyDetail = melody
  .extend({
    peaks: waveformPeaks,
    timings: z
      .array(lineTiming)
      .nullable()
      .describe('In the order of the lines; null if the text has no timings.'),
    seeksExactly: z
      .boolean()
      .describe('False if browsers can seek in the audio only approximately, and no copy will be made.'),
  })
  .meta({ id: 'MelodyDetail' });
export type MelodyDetail = z.output<typeof melodyDetail>;

/** Usage of a melody, shown in the teacher's table but not on cards. */
export const melodyUsage = z
  .object({ id: z.int(), isTimed: z.boolean(), recordingCount: z.int() })
  .meta({ id: 'MelodyUse' });
export type MelodyUsage = z.output<typeof melodyUsage>;

export const bulkMelodyChange = z.enum(['level', 'delete']);
export type BulkMelodyChange = z.output<typeof bulkMelodyChange>;

/**
 * Maximum length of a timing as JSON, with a reserve: `{"line":19999,"start":12345.678901234567},` has 42
 * characters.
 */
const MAX_TIMING_JSON_LENGTH = 48;

const timings = z.array(lineTiming).max(MAX_TIMINGS);

const videoUrl = createLimitedTextSchema(MAX_VIDEO_URL_LENGTH)
  .trim()
  .refine(
    (value) => value === '' || isWebAddress(value),
    'The video URL must begin with http:// or https://.',
  );

/** Parses timings from JSON text, because they are sent in a form field. An empty text means no timings. */
const timingsJson = createLimitedTextSchema(MAX_TIMINGS * MAX_TIMING_JSON_LENGTH).transform(
  (value, context) => {
    if (value.trim() === '') return null;
    const parsed = timings.safeParse(parseJson(value));
    const isInTime = parsed.data?.every(({ start }) => start <= MAX_TIMING_SECONDS);
    if (parsed.success && isInTime) return parsed.data;
    context.addIssue(
      parsed.success
        ? 'A line can’t be timed later than 24 hours from the beginning.'
        : 'Timings must be a list of lines and their seconds.',
    );
    return z.NEVER;
  },
);

/** Fields that a form sends with a melody, in addition to those that the teacher types. */
const uploadFields = {
  clientId: z.uuid().optional().describe('Idempotency key: a repeated call returns the result of the first.'),
  audioUploadId: z.uuid().optional().describe('Instead of the files: the `clientId`s of complete uploads.'),
  thumbnailUploadId: z.uuid().optional(),
  peaks: z.string().max(300).optional().describe("Used only if the server can't compute the waveform."),
};

export const melodiesApi = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/melodies',
    access: 'signed-in',
    summary:
      'The melodies that the caller may hear, newest first. `transmissionLevelId` filters by level; `q` finds melodies with each of its first eight words in title, description or text. With `view=card`, the beginning of the description replaces description and text; with `view=id`, each melody has only its id.',
    query: z.object({
      transmissionLevelId: numericId.optional(),
      q: createLimitedTextSchema(200).optional(),
      view: z.enum(['full', 'card', 'id']).default('full'),
    }),
    answers: { 200: z.array(z.union([melody, listedMelody, foundMelody])) },
    isShared: true,
  }),
  use: defineEndpoint({
    method: 'GET',
    path: '/api/melodies/use',
    access: 'admin',
    summary: 'For each melody, whether it has timings and how many recordings it has.',
    answers: { 200: z.array(melodyUsage) },
  }),
  timed: defineEndpoint({
    method: 'GET',
    path: '/api/melodies/timed',
    access: 'signed-in',
    summary: 'The ids of the melodies with timings that the caller may hear.',
    answers: { 200: z.array(z.int().meta({ id: 'MelodyId' })) },
  }),
  one: defineEndpoint({
    method: 'GET',
    path: '/api/melodies/{id}',
    access: 'signed-in',
    summary: 'One melody with its waveform.',
    params: z.object({ id: numericId }),
    answers: { 200: melodyDetail },
    refusals: { 404: 'Unknown, or of a level that the caller does not have' },
  }),
  add: defineEndpoint({
    method: 'POST',
    path: '/api/melodies',
    access: 'admin',
    summary:
      'Adds a melody with its text, audio, picture and video address. The same `clientId` again answers 200 with the existing melody.',
    body: z.object({
      title: createRequiredSingleLineTextSchema(MAX_MELODY_TITLE_LENGTH, TITLE_REQUIRED_MESSAGE),
      description: createLimitedTextSchema(MAX_MELODY_DESCRIPTION_LENGTH).optional(),
      transmissionLevelId: createRequiredNumericIdSchema(LEVEL_REQUIRED_MESSAGE),
      vimeoUrl: videoUrl.optional(),
      melodyText: createLimitedTextSchema(MAX_MELODY_TEXT_LENGTH).optional(),
      timings: timingsJson.optional().describe('The timings as JSON.'),
      importId: z.uuid().optional().describe('Shared by all melodies that can be undone together.'),
      ...uploadFields,
    }),
    files: { thumbnail: melodyThumbnailSlot, audioFile: melodyAudioSlot },
    answers: { 200: melody, 201: melody },
    refusals: {
      404: 'Unknown level',
      409: 'An upload is incomplete, has another purpose, or the melody was deleted since',
      413: 'A file is too large',
      415: 'Not a supported file type',
    },
  }),
  change: defineEndpoint({
    method: 'PUT',
    path: '/api/melodies/{id}',
    access: 'admin',
    summary: 'Changes a melody: absent parts stay, and an empty text is removed.',
    params: z.object({ id: numericId }),
    body: z.object({
      title: createRequiredSingleLineTextSchema(MAX_MELODY_TITLE_LENGTH, TITLE_REQUIRED_MESSAGE).optional(),
      description: createLimitedTextSchema(MAX_MELODY_DESCRIPTION_LENGTH).optional(),
      transmissionLevelId: createRequiredNumericIdSchema(LEVEL_REQUIRED_MESSAGE).optional(),
      vimeoUrl: videoUrl.optional(),
      melodyText: createLimitedTextSchema(MAX_MELODY_TEXT_LENGTH).optional(),
      timings: timingsJson.optional().describe('The timings as JSON; empty removes them.'),
      removeAudio: z.enum(['true', 'false']).optional(),
      removeThumbnail: z.enum(['true', 'false']).optional(),
      ...uploadFields,
    }),
    files: { thumbnail: melodyThumbnailSlot, audioFile: melodyAudioSlot },
    answers: { 200: melodyDetail },
    refusals: {
      404: 'Unknown melody or level',
      409: 'An upload is incomplete or has another purpose',
      413: 'A file is too large',
      415: 'Not a supported file type',
    },
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/melodies/{id}',
    access: 'admin',
    summary: 'Deletes a melody with its files. Recordings of it stay, with their title.',
    params: z.object({ id: numericId }),
    answers: { 200: messageBody },
    refusals: { 404: 'Unknown melody' },
  }),
  changeMany: defineEndpoint({
    method: 'POST',
    path: '/api/melodies/changes',
    access: 'admin',
    summary:
      "Applies one change to several melodies. One that can't be changed does not stop the others, and repeating the call changes nothing more.",
    body: z.object({
      melodyIds: z
        .array(numericId)
        .min(1, 'Please choose a melody.')
        .max(MAX_BULK_MELODIES, `Please change at most ${MAX_BULK_MELODIES} melodies at once.`),
      change: bulkMelodyChange,
      transmissionLevelId: numericId.optional().describe('The new level, with `level`.'),
    }),
    answers: {
      200: z.object({
        successCount: z.int(),
        failureCount: z.int(),
        results: z.array(
          z.object({
            id: z.int(),
            ok: z.boolean(),
            message: z.string().optional().describe('The reason if it was not changed.'),
          }),
        ),
      }),
    },
  }),
};

function isWebAddress(value: string) {
  try {
    return ['http:', 'https:'].includes(new URL(value).protocol);
  } catch {
    return false;
  }
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
