import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { text } from '../../platform/contract/shapes.ts';

const KINDS = ['audio/*', 'image/*'];

export const filesApi = {
  read: endpoint({
    method: 'GET',
    path: '/api/files/{name}',
    access: 'signed-in',
    summary: 'The bytes of a melody, a recording, a reply or a thumbnail; whole or by `Range`.',
    params: z.object({ name: text(100) }),
    // Not an enum: a missing or unknown type answers like a missing file.
    query: z.object({ type: z.string().optional() }),
    answers: {},
    raw: {
      200: { says: 'The file', types: KINDS },
      206: { says: 'The part of it that `Range` asked for', types: KINDS },
      304: { says: 'The version whose `ETag` was sent as `If-None-Match` is the current one' },
    },
    refusals: {
      404: 'Unknown, of another type, or not for the caller',
      416: 'A range outside of the file',
      503: 'Damaged or missing where it is stored, or the store is out of reach',
    },
  }),
};
