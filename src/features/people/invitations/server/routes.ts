import type { Handlers } from '#server/http/handlers.ts';
import { countsOf } from '#server/outcome.ts';
import type { invitationsApi } from '../contract.ts';
import type { InvitationsService } from './service.ts';

export const invitationsRoutes = (invitations: InvitationsService): Handlers<typeof invitationsApi> => ({
  invite: async ({ body, caller }) => {
    const results = await invitations.invite(body, caller);
    return { status: 200, body: { ...countsOf(results), results } };
  },
  check: async ({ body }) => ({ status: 200, body: { results: await invitations.check(body.invites) } }),
});
