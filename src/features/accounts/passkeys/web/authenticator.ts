import { startAuthentication, startRegistration, WebAuthnAbortService } from '@simplewebauthn/browser';
import { type ApiResponse, callApi, CallError, issuesOf, type OptionsArgument } from '#web/api/call.ts';

type PasskeyAnswer = NonNullable<OptionsArgument<'POST /api/sign-in/passkey'>[0]>['body']['passkey'];
type NewPasskey = NonNullable<OptionsArgument<'POST /api/user/passkeys'>[0]>['body']['passkey'];

let pendingRequest = new AbortController();

type RequestOptions = {
  /**
   * Whether to offer passkeys among the autofill suggestions, without a timeout. By default, the browser
   * opens its dialog immediately.
   */
  isInAutofill?: boolean;
};

/**
 * Requests a passkey from the browser and cancels any earlier request. Rejects if a request fails or the user
 * declines.
 */
export async function requestPasskey({ isInAutofill = false }: RequestOptions = {}): Promise<PasskeyAnswer> {
  pendingRequest.abort();
  // Passes the signal to the request for the challenge. As a result, concurrent calls don't share that request,
  // and a challenge that arrives after cancelling is ignored.
  const { signal } = (pendingRequest = new AbortController());
  const optionsJSON = await callApi('POST /api/passkeys/challenge', { signal });
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

/** Cancels the pending request for a passkey. */
export function cancelPasskeyRequest() {
  pendingRequest.abort();
  WebAuthnAbortService.cancelCeremony();
}

/** Creates a passkey in the browser. Rejects if that fails or the user declines. */
export async function createPasskey(
  optionsJSON: ApiResponse<'POST /api/user/passkeys/challenge'>,
): Promise<NewPasskey> {
  const { id, rawId, type, response } = await startRegistration({
    optionsJSON: { ...optionsJSON, excludeCredentials: optionsJSON.excludeCredentials.map(toDescriptor) },
  });
  const { clientDataJSON, attestationObject, transports } = response;
  return {
    ...{ id, rawId, type, clientExtensionResults: {} },
    response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
  };
}

const toDescriptor = ({
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

/**
 * Returns the message for a passkey that could not be created or used.
 * @param cancelled message for any other browser error, usually because the user cancelled
 */
export function describePasskeyFailure(
  error: Error,
  cancelled = 'This was cancelled. Please try again.',
): string {
  if (error instanceof CallError) return error.serverMessage ?? 'This did not work. Please try again.';
  if (error.name === 'InvalidStateError') return 'This device already has a passkey for your account.';
  return cancelled;
}

/** Returns whether the sign-in failed only because a required passkey is missing or invalid. */
export const isPasskeyRequiredError = (error: Error) =>
  issuesOf(error).some(({ path }) => path === 'passkey');
