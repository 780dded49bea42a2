import { Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#web/navigation/lazy-page.ts';
import { useFragmentToken } from '#web/navigation/link-token.ts';
import { useSettings } from '#web/api/page-data.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { usePasskeysWork } from '#features/accounts/passkeys/web/passkeys-work.ts';
import { SignInForm } from './sign-in-form.tsx';
import { type Shown, type Way, WAYS } from './ways.ts';

const OtherWay = lazyPart(() => import('./other-way.tsx'));

/** Once the page stands: its first load is not heavier for it. */
const AUTOFILL_AFTER_MS = 1_000;

/** The form for name and password, and in its place, once asked for, the ways that need no typing of one. */
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
    // Without them there is the button.
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
        <ul
          aria-label="Other ways to sign in"
          className="mt-3 flex flex-wrap gap-x-6 border-t border-line pt-3"
        >
          {(Object.keys(WAYS) as Way[]).map(
            (way) =>
              isOffered[way] && (
                <li key={way}>
                  <button
                    // Mounted anew, back from that way, with the focus that it had.
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
      </div>
      {shown && (
        <Suspense fallback={<Spinner className="mx-auto mt-20" />}>
          <OtherWay shown={shown} onBack={() => setShown(null)} />
        </Suspense>
      )}
    </>
  );
}
