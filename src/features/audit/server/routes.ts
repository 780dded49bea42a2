import type { Handlers } from '../../../platform/server/http/handlers.ts';
import { nextPage } from '../../../platform/server/http/history.ts';
import { auditApi } from '../contract.ts';
import { AUDIT_PAGE_SIZE } from '../limits.ts';
import type { AuditService } from './service.ts';

export const auditRoutes = (audit: AuditService): Handlers<typeof auditApi> => ({
  list: async ({ query }) => {
    const rows = await audit.list(query.before);
    return { status: 200, body: rows, headers: nextPage(auditApi.list.path, rows, AUDIT_PAGE_SIZE) };
  },
});
