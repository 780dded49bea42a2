import { NOTICE_KINDS } from '#shared/kinds.ts';
import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { messageBody, timestamp } from '#shared/schemas.ts';
import { DISMISSIBLE_NOTICE_KINDS } from './limits.ts';

export const notice = z
  .object({
    kind: z.enum(NOTICE_KINDS),
    detail: z
      .record(z.string(), z.number())
      .describe(
        'Figures for the message: `files` and `of`; `missing` and `changed`; `least`, in bytes; `days`.',
      ),
    since: timestamp,
  })
  .meta({ id: 'Notice' });
export type ServerNotice = z.output<typeof notice>;

export const noticesApi = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/admin/notices',
    access: 'admin',
    summary: 'Unresolved notices to the teacher about the installation, oldest first.',
    answers: { 200: z.array(notice) },
  }),
  dismiss: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/notices/{kind}',
    access: 'admin',
    summary: 'Hides a notice from all teachers for three months.',
    params: z.object({ kind: z.enum(DISMISSIBLE_NOTICE_KINDS) }),
    answers: { 200: messageBody },
    refusals: { 404: "A notice that can't be hidden" },
  }),
};
