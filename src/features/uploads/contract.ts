import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { UPLOAD_SLOTS } from '#shared/kinds.ts';
import { byteOffset, message } from '#shared/shapes.ts';
import { CHUNK_MAX, CHUNK_MIN } from './limits.ts';

const upload = z.object({ clientId: z.uuid() });

/** Number of bytes of the file that are durable; the next chunk begins at this offset. */
const received = z.object({ received: z.int() });

/**
 * Progress of examining the sound of a complete upload. `waiting`: other files are being examined. `fraction`: the
 * part that has been decoded.
 */
const examination = z.object({ step: z.enum(['waiting', 'running']), fraction: z.number().min(0).max(1) });

/**
 * Uploads files in chunks, for unreliable connections. A chunk is durable once the server has responded. The call
 * that a complete upload belongs to refers to it by `uploadId`.
 */
export const uploadsApi = {
  begin: endpoint({
    method: 'PUT',
    path: '/api/uploads/{clientId}',
    access: 'signed-in',
    summary: 'Begins an upload of the given size, or says how far the one under way has come.',
    params: upload,
    body: z.object({
      size: z.int().min(1),
      slot: z
        .enum(UPLOAD_SLOTS)
        .optional()
        .describe("What the file is for; by default a student's recording, or a teacher's spoken reply."),
    }),
    answers: { 200: received },
    refusals: {
      403: 'Not a slot that the caller may send files to',
      409: 'It was begun with another size or slot',
      413: 'More than the slot takes',
      429: 'Too many uploads are under way, and all have grown within the hour; or a student has sent as much as is allowed within 24 hours',
      507: 'The disk is nearly full; with `Retry-After`',
    },
  }),
  append: endpoint({
    method: 'PATCH',
    path: '/api/uploads/{clientId}',
    access: 'signed-in',
    summary: `Adds a chunk that begins at byte \`start\`, of at least ${CHUNK_MIN.toLocaleString('en')} bytes but for the last. A chunk that is there already changes nothing.`,
    params: upload,
    query: z.object({ start: byteOffset }),
    bytes: { max: CHUNK_MAX },
    answers: { 200: received },
    refusals: {
      400: 'The chunk is too small and not the last',
      404: 'No such upload',
      409: 'A chunk before it is missing; begin says from where to go on',
      413: 'The chunk is too large, or longer than the file',
    },
  }),
  examination: endpoint({
    method: 'GET',
    path: '/api/uploads/{clientId}/examination',
    access: 'signed-in',
    summary:
      'Says how far the server has come with examining the sound of an upload, while the call that names it is under way. Null when it is not, or when another process does it.',
    params: upload,
    answers: { 200: z.object({ examination: examination.nullable() }) },
  }),
  forget: endpoint({
    method: 'DELETE',
    path: '/api/uploads/{clientId}',
    access: 'signed-in',
    summary: 'Gives an upload up.',
    params: upload,
    answers: { 200: message },
  }),
};
