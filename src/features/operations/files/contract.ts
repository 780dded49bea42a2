import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { text } from '#shared/shapes.ts';

const KINDS = ['audio/*', 'image/*'];

export const filesApi = {
  read: endpoint({
    method: 'GET',
    path: '/api/files/{name}',
    access: 'signed-in',
    summary:
      'The bytes of a melody, a recording, a reply or a thumbnail, or of a copy of a sound; whole or by `Range`.',
    params: z.object({ name: text(100) }),
    // Not enums, because a missing or unknown type or copy answers like a missing file.
    query: z.object({
      type: z.string().optional(),
      copy: z
        .string()
        .optional()
        .describe(
          'One of the copies that are named beside the sound: `small`, of at most 64 kbit/s, or `full`. Without it, the file as it was sent.',
        ),
      keep: z
        .string()
        .optional()
        .describe('Given, the bytes come from this server, never from a store by redirect.'),
    }),
    answers: {},
    raw: {
      200: { says: 'The file', types: KINDS },
      206: { says: 'The part of it that `Range` asked for', types: KINDS },
      304: { says: 'The version whose `ETag` was sent as `If-None-Match` is the current one' },
    },
    refusals: {
      404: 'Unknown, of another type, without such a copy, or not for the caller',
      416: 'A range outside of the file',
      503: 'Damaged or missing where it is stored, or the store is out of reach',
    },
  }),
};
