import type { Handlers } from '#server/http/handlers.ts';
import { countBulkOutcomes } from '#server/bulk-item.ts';
import type { invitationsApi } from '../contract.ts';
import type { InvitationsService } from './service.ts';

export const createInvitationsRoutes = (
  invitations: InvitationsService,
): Handlers<typeof invitationsApi> => ({
  invite: async ({ body, caller }) => {
    const results = await invitations.invite(body, caller);
    return { status: 200, body: { ...countBulkOutcomes(results), results } };
  },
  check: async ({ body }) => ({ status: 200, body: { results: await invitations.check(body.invites) } }),
});
