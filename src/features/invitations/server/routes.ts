import type { Handlers } from '../../../platform/server/http/handlers.ts';
import type { invitationsApi } from '../contract.ts';
import type { InvitationsService } from './service.ts';

export const invitationsRoutes = (invitations: InvitationsService): Handlers<typeof invitationsApi> => ({
  invite: async ({ body, caller }) => {
    const results = await invitations.invite(body.invites, caller);
    const successCount = results.filter((result) => result.ok).length;
    return { status: 200, body: { successCount, failureCount: results.length - successCount, results } };
  },
});
