import type { Handlers } from '#server/http/handlers.ts';
import type { passkeysApi } from '../contract.ts';
import type { PasskeysService } from './service.ts';

export const createPasskeysRoutes = (passkeys: PasskeysService): Handlers<typeof passkeysApi> => ({
  challenge: async ({ request }) => ({ status: 200, body: await passkeys.createSignInChallenge(request.ip) }),
  list: async ({ caller }) => ({ status: 200, body: await passkeys.list(caller) }),
  beginAdding: async ({ caller, request }) => ({
    status: 200,
    body: await passkeys.beginAdding(caller, request.ip),
  }),
  add: async ({ caller, body }) => ({
    status: 201,
    body: await passkeys.add(caller, body.name, body.passkey),
  }),
  rename: async ({ caller, params, body }) => ({
    status: 200,
    body: await passkeys.rename(caller, params.id, body.name),
  }),
  remove: async ({ caller, params }) => {
    await passkeys.remove(caller, params.id);
    return { status: 200, body: { message: 'Passkey removed' } };
  },
  dismissSuggestion: async ({ caller }) => {
    await passkeys.dismissSuggestion(caller);
    return { status: 200, body: { message: 'You can add a passkey at any time.' } };
  },
  askAfterPassword: async ({ caller, body }) => {
    await passkeys.setSecondFactor(caller, body.isOn, body.passkey);
    const message = body.isOn
      ? 'From now on, you’ll need your passkey when you sign in.'
      : 'You are no longer asked for a passkey.';
    return { status: 200, body: { message } };
  },
  removeAllOf: async ({ caller, params }) => {
    await passkeys.removeAllOf(params.id, caller);
    return { status: 200, body: { message: 'Passkeys removed' } };
  },
});
