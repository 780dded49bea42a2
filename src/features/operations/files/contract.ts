import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { createLimitedTextSchema } from '#shared/schemas.ts';

const KINDS = ['audio/*', 'image/*'];

export const filesApi = {
  read: defineEndpoint({
    method: 'GET',
    path: '/api/files/{name}',
    access: 'signed-in',
    summary:
      'The bytes of a melody, recording, audio feedback or thumbnail, or of a copy of an audio file; whole or by `Range`.',
    params: z.object({ name: createLimitedTextSchema(100) }),
    // Accepts any text, because a missing or unknown type or copy must return the same error as a missing file.
    query: z.object({
      type: z.string().optional(),
      copy: z
        .string()
        .optional()
        .describe(
          'A copy of the audio: `small`, of at most 64 kbit/s, or `full`. Without it, the original file.',
        ),
      keep: z
        .string()
        .optional()
        .describe('If set, this server sends the bytes and never redirects to a store.'),
    }),
    answers: {},
    raw: {
      200: { description: 'The file', types: KINDS },
      206: { description: 'The part of it that `Range` asked for', types: KINDS },
      304: { description: 'The version whose `ETag` was sent as `If-None-Match` is the current one' },
    },
    refusals: {
      404: 'Unknown, of another type, without such a copy, or not accessible to the caller',
      416: 'A range outside the file',
      503: 'Damaged or missing in the store, or the store is unreachable',
    },
  }),
};
