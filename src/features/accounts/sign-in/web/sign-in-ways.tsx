import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#web/navigation/lazy-page.ts';
import { useFragmentToken } from '#web/navigation/link-token.ts';
import { useSettings } from '#web/api/page-data.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { usePasskeysWork } from '#features/accounts/passkeys/web/passkeys-work.ts';
import { SignInForm } from './sign-in-form.tsx';
import { OTHER_WAYS, type Shown, type Way, WAYS } from './ways.ts';

const OtherWay = lazyPart(() => import('./other-way.tsx'));

/** Delay that keeps this code out of the initial page load. */
const AUTOFILL_AFTER_MS = 1_000;

/** Sign-in form. Once the user chooses another way to sign in, that replaces the form. */
export function SignInWays() {
  const fragment = useFragmentToken();
  return <Ways key={fragment} fragment={fragment} />;
}

function Ways({ fragment }: { fragment: string }) {
  const [shown, setShown] = useState<Shown | null>(fragment ? { fragment } : null);
  const [last, setLast] = useState<Way>();
  const { sendsMail } = useSettings();
  const passkeysWork = usePasskeysWork();
  useEffect(() => {
    if (!passkeysWork) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const offer = () => import('./passkey-autofill.ts').then((autofill) => autofill.offerPasskeys(signal));
    // If this fails, the button for passkeys still works.
    setTimeout(() => void offer().catch(() => undefined), AUTOFILL_AFTER_MS);
    return () => leaving.abort();
  }, [passkeysWork]);
  const isOffered = { link: sendsMail, code: true, passkey: passkeysWork };
  const choose = (way: Way) => {
    setShown({ way, name: document.querySelector<HTMLInputElement>('[name=username]')?.value });
    setLast(way);
  };
  return (
    <>
      <div hidden={shown !== null}>
        <SignInForm onPasskeyAskedFor={(credentials) => setShown({ credentials })} />
        <div className="mt-3 border-t border-line pt-3">
          <Disclosure label={OTHER_WAYS}>
            {() => (
              <ul aria-label={OTHER_WAYS} className="grid">
                {(Object.keys(WAYS) as Way[]).map(
                  (way) =>
                    isOffered[way] && (
                      <li key={way}>
                        <button
                          // Remounted on the way back, so that `autoFocus` restores the focus.
                          key={String(!shown)}
                          type="button"
                          autoFocus={last === way}
                          onClick={() => choose(way)}
                          className="link min-h-11 text-sm"
                        >
                          {WAYS[way]}
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
          <OtherWay shown={shown} onBack={() => setShown(null)} />
        </Suspense>
      )}
    </>
  );
}
