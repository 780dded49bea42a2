import { callApi, getErrorMessage } from '#web/api/call.ts';
import { toast } from '#web/ui/toasts.ts';
import { consumePathAfterSignIn } from './sign-in-form.tsx';

/** Age at which an offer is renewed. Its challenge expires after five minutes. */
const RENEW_AFTER_MS = 4 * 60_000;

/**
 * Lets the browser offer passkeys among the autofill suggestions of the name field, until the user submits the
 * form or leaves the page. Shows no errors until the user has chosen a passkey.
 */
export async function offerPasskeysInAutofill(leaving: AbortSignal) {
  const browsers = PublicKeyCredential as Partial<typeof PublicKeyCredential>;
  if (!(await browsers.isConditionalMediationAvailable?.())) return;
  const { cancelPasskeyRequest, requestPasskey } =
    await import('#features/accounts/passkeys/web/authenticator.ts');
  if (leaving.aborted) return;
  let askedAt = -Infinity;

  async function offer() {
    askedAt = performance.now();
    const passkey = await requestPasskey({ isInAutofill: true }).catch(() => null);
    if (!passkey || leaving.aborted) return;
    try {
      await callApi('POST /api/sign-in/passkey', { body: { passkey } });
      location.assign(consumePathAfterSignIn(location));
    } catch (error) {
      askedAt = -Infinity;
      const description = getErrorMessage(error, 'This did not work. Please try again.');
      toast({ title: 'Login failed', description, variant: 'destructive' });
    }
  }

  const until = { signal: leaving, capture: true };
  document.addEventListener(
    'focus',
    ({ target }) => {
      const isName = target instanceof HTMLInputElement && target.autocomplete.endsWith('webauthn');
      if (isName && performance.now() - askedAt > RENEW_AFTER_MS) void offer();
    },
    until,
  );
  const stop = () => {
    askedAt = -Infinity;
    cancelPasskeyRequest();
  };
  document.addEventListener('submit', stop, until);
  leaving.addEventListener('abort', stop);
  void offer();
}
