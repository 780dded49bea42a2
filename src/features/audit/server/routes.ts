import type { Handlers } from '#server/http/handlers.ts';
import type { auditApi } from '../contract.ts';
import type { AuditService } from './service.ts';

export const createAuditRoutes = (audit: AuditService): Handlers<typeof auditApi> => ({
  list: async ({ query }) => ({ status: 200, page: await audit.list(query) }),
});
