import type { Handlers } from '#server/http/handlers.ts';
import type { firstStepsApi } from '../contract.ts';
import type { FirstStepsService } from './service.ts';

export const createFirstStepsRoutes = (steps: FirstStepsService): Handlers<typeof firstStepsApi> => ({
  state: async ({ caller }) => ({ status: 200, body: await steps.getState(caller) }),
  dismiss: async ({ caller }) => {
    await steps.dismiss(caller.id);
    return { status: 200, body: { message: 'Hidden.' } };
  },
  testMail: async ({ caller }) => {
    await steps.sendTestMail(caller.id);
    return { status: 200, body: { message: 'The email is on its way.' } };
  },
});
