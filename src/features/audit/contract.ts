import { AUDITED_ACTIONS } from '#shared/kinds.ts';
import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import { idCursorQuery, numericId, timestamp } from '#shared/schemas.ts';
import { AUDIT_PAGE_SIZE } from './limits.ts';

export const auditEntry = z
  .object({
    id: z.int(),
    at: timestamp,
    actorName: z.string().describe('Names as they were at the time.'),
    action: z.enum(AUDITED_ACTIONS),
    subjectName: z.string().describe('The person or level that was changed.'),
    detail: z
      .string()
      .nullable()
      .describe('The level that was granted, revoked or given to a new user; null if none.'),
    count: z.int().describe('Number of entries in this bulk change, which is listed as one, the newest.'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.output<typeof auditEntry>;

export const auditApi = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/admin/audit-log',
    access: 'admin',
    summary: 'The audit log of the community, newest first.',
    query: idCursorQuery.extend({
      within: numericId.optional().describe('The entries of this bulk change.'),
    }),
    pageSize: AUDIT_PAGE_SIZE,
    answers: { 200: z.array(auditEntry) },
  }),
};
