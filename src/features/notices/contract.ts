import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { time } from '../../platform/contract/shapes.ts';
import { NOTICE_KINDS } from './limits.ts';

export const notice = z
  .object({
    kind: z.enum(NOTICE_KINDS),
    detail: z
      .record(z.string(), z.number())
      .describe('Figures for the sentence: `files` and `of`; `missing` and `changed`; `least`, in bytes.'),
    since: time,
  })
  .meta({ id: 'Notice' });
export type Notice = z.output<typeof notice>;

export const noticesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/notices',
    access: 'admin',
    summary: 'Unresolved notices to the teacher about the installation itself; oldest first.',
    answers: { 200: z.array(notice) },
  }),
};
