import { Suspense, useEffect, useState } from 'react';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { useFragmentToken } from '#web/navigation/link-token.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { usePasskeysSupported } from '#features/accounts/passkeys/web/use-passkeys-supported.ts';
import { SignInForm } from './sign-in-form.tsx';
import {
  OTHER_SIGN_IN_METHODS_LABEL,
  type AlternativeSignInView,
  type AlternativeSignInMethod,
  ALTERNATIVE_SIGN_IN_METHOD_LABELS,
} from './methods.ts';

const LazyAlternative = createLazyComponent(() => import('./alternative-sign-in.tsx'));

/** Delay before the code for autofill loads, so that it doesn't slow down the initial page load. */
const AUTOFILL_DELAY_MS = 1_000;

/** Shows the sign-in form, or the alternative sign-in method that the user has chosen. */
export function SignInMethods() {
  const fragment = useFragmentToken();
  return <MethodChooser key={fragment} fragment={fragment} />;
}

function MethodChooser({ fragment }: { fragment: string }) {
  const [shown, setShown] = useState<AlternativeSignInView | null>(fragment ? { fragment } : null);
  const [last, setLast] = useState<AlternativeSignInMethod>();
  const { sendsMail } = usePageSettings();
  const passkeysWork = usePasskeysSupported();
  useEffect(() => {
    if (!passkeysWork) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const offer = () =>
      import('./passkey-autofill.ts').then((autofill) => autofill.offerPasskeysInAutofill(signal));
    // Ignores failures, because the user can still press “Use a passkey”.
    setTimeout(() => void offer().catch(() => undefined), AUTOFILL_DELAY_MS);
    return () => leaving.abort();
  }, [passkeysWork]);
  const isOffered = { link: sendsMail, code: true, passkey: passkeysWork };
  const choose = (method: AlternativeSignInMethod) => {
    setShown({ method, name: document.querySelector<HTMLInputElement>('[name=username]')?.value });
    setLast(method);
  };
  return (
    <>
      <div hidden={shown !== null}>
        <SignInForm onPasskeyRequired={(credentials) => setShown({ credentials })} />
        <div className="mt-3 border-t border-line pt-3">
          <Disclosure label={OTHER_SIGN_IN_METHODS_LABEL}>
            {() => (
              <ul aria-label={OTHER_SIGN_IN_METHODS_LABEL} className="grid">
                {(Object.keys(ALTERNATIVE_SIGN_IN_METHOD_LABELS) as AlternativeSignInMethod[]).map(
                  (method) =>
                    isOffered[method] && (
                      <li key={method}>
                        <button
                          // The new key remounts the button when the user returns to the form, so that
                          // `autoFocus` restores the focus.
                          key={String(!shown)}
                          type="button"
                          autoFocus={last === method}
                          onClick={() => choose(method)}
                          className="link min-h-11 text-sm"
                        >
                          {ALTERNATIVE_SIGN_IN_METHOD_LABELS[method]}
                        </button>
                      </li>
                    ),
                )}
              </ul>
            )}
          </Disclosure>
        </div>
      </div>
      {shown && (
        <Suspense fallback={<Spinner className="mx-auto mt-20" />}>
          <LazyAlternative shown={shown} onBack={() => setShown(null)} />
        </Suspense>
      )}
    </>
  );
}
