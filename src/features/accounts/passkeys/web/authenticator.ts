import { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';
import { type Answer, call, CallError, issuesOf, type OptionsArgument } from '#web/api/call.ts';

type PasskeyAnswer = NonNullable<OptionsArgument<'POST /api/sign-in/passkey'>[0]>['body']['passkey'];
type NewPasskey = NonNullable<OptionsArgument<'POST /api/user/passkeys'>[0]>['body']['passkey'];

let asking = new AbortController();

type Asking = {
  /** Not at once: among what the browser fills in, for as long as it takes. */
  isInAutofill?: boolean;
};

/**
 * Asks the browser for a passkey, in place of what it was asked for before. Rejects also when the person says no.
 */
export async function usedPasskey({ isInAutofill = false }: Asking = {}): Promise<PasskeyAnswer> {
  asking.abort();
  // With a signal of its own, each call gets a challenge of its own; one that comes late starts nothing.
  const { signal } = (asking = new AbortController());
  const optionsJSON = await call('POST /api/passkeys/challenge', { signal });
  const { id, rawId, type, response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: isInAutofill,
  });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    ...{ id, rawId, type, clientExtensionResults: {} },
    response: { clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) },
  };
}

/** Ends what the browser is asked for. */
export function notUsingPasskey() {
  asking.abort();
  WebAuthnAbortService.cancelCeremony();
}

/** Asks the browser to make a passkey. Rejects also when the person says no. */
export async function madePasskey(
  optionsJSON: Answer<'POST /api/user/passkeys/challenge'>,
): Promise<NewPasskey> {
  const { id, rawId, type, response } = await startRegistration({
    optionsJSON: { ...optionsJSON, excludeCredentials: optionsJSON.excludeCredentials.map(known) },
  });
  const { clientDataJSON, attestationObject, transports } = response;
  return {
    ...{ id, rawId, type, clientExtensionResults: {} },
    response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
  };
}

const known = ({
  id,
  type,
  transports = [],
}: {
  id: string;
  type: 'public-key';
  transports?: string[] | undefined;
}) => ({
  ...{ id, type, transports },
});

/** What is said when a passkey was not made or used. */
export function passkeyFailure(error: Error): string {
  if (error instanceof CallError) return error.serverMessage ?? 'This did not work. Please try again.';
  if (error.name === 'InvalidStateError') return 'This device has a passkey for your account already.';
  return 'No passkey was used. Please try again, or use another way.';
}

/** Whether it is right but for a passkey that is asked for too. */
export const isAskedFor = (error: Error) => issuesOf(error).some(({ path }) => path === 'passkey');
