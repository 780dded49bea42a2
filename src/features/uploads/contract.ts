import { z } from 'zod';
import { EMPTY_FILE_MESSAGE } from '#shared/audio-rejections.ts';
import { defineEndpoint } from '#shared/endpoint.ts';
import { UPLOAD_SLOT_NAMES } from '#shared/kinds.ts';
import { byteOffset, messageBody } from '#shared/schemas.ts';
import { MAX_UPLOAD_CHUNK_BYTES, MIN_UPLOAD_CHUNK_BYTES } from './limits.ts';

const upload = z.object({ clientId: z.uuid() });

/** Number of bytes of the file that are durable; the next chunk begins at this offset. */
const received = z.object({ received: z.int() });

/**
 * Progress of inspecting the audio of a complete upload. `waiting`: the inspection has not started, because
 * other files are being inspected. `fraction`: the share of the audio that has been decoded, from 0 to 1.
 */
const examination = z.object({ step: z.enum(['waiting', 'running']), fraction: z.number().min(0).max(1) });

/**
 * Uploads files in chunks, for unreliable connections. A chunk is durable once the server has responded. The
 * request that uses the file then refers to the complete upload by `uploadId`.
 */
export const uploadsApi = {
  begin: defineEndpoint({
    method: 'PUT',
    path: '/api/uploads/{clientId}',
    access: 'signed-in',
    summary: 'Starts an upload of the given size, or returns the progress of the one that was started.',
    params: upload,
    body: z.object({
      size: z.int().min(1, EMPTY_FILE_MESSAGE),
      slot: z
        .enum(UPLOAD_SLOT_NAMES)
        .optional()
        .describe("What the file is for; by default a student's recording or a teacher's audio feedback."),
    }),
    answers: { 200: received },
    refusals: {
      403: 'Not a slot to which the caller may upload',
      409: 'It was started with another size or slot',
      413: 'Larger than the slot allows',
      429: 'Too many unfinished uploads that all grew within the hour, or the student has reached the limit for 24 hours',
      507: 'The disk is nearly full; with `Retry-After`',
    },
  }),
  append: defineEndpoint({
    method: 'PATCH',
    path: '/api/uploads/{clientId}',
    access: 'signed-in',
    summary: `Adds a chunk that starts at byte \`start\`, of at least ${MIN_UPLOAD_CHUNK_BYTES.toLocaleString('en')} bytes except for the last. Repeating a chunk changes nothing.`,
    params: upload,
    query: z.object({ start: byteOffset }),
    bytes: { max: MAX_UPLOAD_CHUNK_BYTES },
    answers: { 200: received },
    refusals: {
      400: 'The chunk is too small and not the last',
      404: 'No such upload',
      409: 'An earlier chunk is missing; starting the upload again returns where to continue',
      413: 'The chunk is too large or exceeds the file',
    },
  }),
  examination: defineEndpoint({
    method: 'GET',
    path: '/api/uploads/{clientId}/examination',
    access: 'signed-in',
    summary:
      'Progress of the audio examination of an upload while the call that names it runs. Null if none runs, or if another process does it.',
    params: upload,
    answers: { 200: z.object({ examination: examination.nullable() }) },
  }),
  forget: defineEndpoint({
    method: 'DELETE',
    path: '/api/uploads/{clientId}',
    access: 'signed-in',
    summary: 'Cancels an upload.',
    params: upload,
    answers: { 200: messageBody },
  }),
};
